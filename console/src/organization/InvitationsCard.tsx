import { revokeInvitation } from '@causeway/sdk'
import { invitationsOptions, useAll } from '@causeway/sdk/react'
import { useProvenChange } from '../api/useProvenChange.ts'
import { Badge, type Tone } from '../components/Badge.tsx'
import { Card } from '../components/Card.tsx'
import { ChangeButton } from '../components/ChangeButton.tsx'
import { CutNote } from '../components/CutNote.tsx'
import { type Column, DataTable } from '../components/DataTable.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { Answered, Empty } from '../components/states.tsx'
import { Time } from '../components/Time.tsx'
import { type Invitation, ROLES } from './memberRole.ts'

const STATUS: Record<Invitation['status'], { name: string; tone: Tone }> = {
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
      id: 'actions',
      header: 'Change',
      isNumber: true,
      cell: ({ id, email, status }) =>
        status === 'OPEN' && (
          <ChangeButton
            permission="members"
            className="button small"
            disabled={revoke.isPending}
            onClick={() => revoke.mutate(id)}
          >
            Take it back<span className="hidden"> from {email}</span>
          </ChangeButton>
        ),
    },
  ]
  return (
    <Card title="Invitations" isFlush>
      <Refusal error={revoke.error} />
      <Answered query={query}>
        {({ rows, hasMore }) =>
          rows.length === 0 ? (
            <Empty title="Nobody is invited">An invitation is a link that works once.</Empty>
          ) : (
            <>
              <DataTable label="Invitations" rows={rows} columns={columns} keyOf={({ id }) => id} />
              <CutNote hasMore={hasMore} count={rows.length} />
            </>
          )
        }
      </Answered>
    </Card>
  )
}

const COLUMNS: readonly Column<Invitation>[] = [
  { id: 'email', header: 'Email', sortBy: ({ email }) => email, cell: ({ email }) => email },
  { id: 'role', header: 'Role', cell: ({ role }) => ROLES[role].name },
  {
    id: 'status',
    header: 'Status',
    sortBy: ({ status }) => status,
    cell: ({ status }) => <Badge tone={STATUS[status].tone}>{STATUS[status].name}</Badge>,
  },
  { id: 'created', header: 'Created', cell: ({ createdAt }) => <Time time={createdAt} /> },
  { id: 'expires', header: 'Expires', cell: ({ expiresAt }) => <Time time={expiresAt} /> },
]
