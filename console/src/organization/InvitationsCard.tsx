import { revokeInvitation } from '@causeway/sdk'
import { invitationsOptions, useAll } from '@causeway/sdk/react'
import { useProvenChange } from '../api/useProvenChange.ts'
import { type Status, StatusBadge } from '../components/Badge.tsx'
import { ChangeButton } from '../components/ChangeButton.tsx'
import type { Column } from '../components/DataTable.tsx'
import { ListCard } from '../components/ListCard.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { Time } from '../components/Time.tsx'
import { type Invitation, ROLES } from './memberRole.ts'

const STATUS: Record<Invitation['status'], Status> = {
  OPEN: { name: 'Open', tone: 'info' },
  ACCEPTED: { name: 'Accepted', tone: 'good' },
  EXPIRED: { name: 'Expired', tone: 'neutral' },
  REVOKED: { name: 'Revoked', tone: 'neutral' },
}

/** The invitations, and a way to take an open one back. */
export function InvitationsCard() {
  const query = useAll(invitationsOptions)
  const revoke = useProvenChange(
    (api, invitationId: string) => revokeInvitation(api, { invitationId }),
    [invitationsOptions],
  )
  const columns: readonly Column<Invitation>[] = [
    ...COLUMNS,
    {
      header: 'Change',
      isNumber: true,
      cell: ({ id, email, status }) =>
        status === 'OPEN' && (
          <ChangeButton
            permission="members"
            isSmall
            disabled={revoke.isPending}
            onClick={() => revoke.mutate(id)}
          >
            Take it back<span className="hidden"> from {email}</span>
          </ChangeButton>
        ),
    },
  ]
  return (
    <ListCard
      title="Invitations"
      query={query}
      columns={columns}
      keyOf={({ id }) => id}
      none="Nobody is invited"
      advice="An invitation is a link that works once."
    >
      <Refusal error={revoke.error} />
    </ListCard>
  )
}

const COLUMNS: readonly Column<Invitation>[] = [
  { header: 'Email', sortBy: ({ email }) => email, cell: ({ email }) => email },
  { header: 'Role', cell: ({ role }) => ROLES[role].name },
  {
    header: 'Status',
    sortBy: ({ status }) => status,
    cell: ({ status }) => <StatusBadge status={STATUS[status]} />,
  },
  { header: 'Created', cell: ({ createdAt }) => <Time time={createdAt} /> },
  { header: 'Expires', cell: ({ expiresAt }) => <Time time={expiresAt} /> },
]
