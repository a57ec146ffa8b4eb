import { type Connection, changeMemberRole, removeMember } from '@causeway/sdk'
import {
  type AllRows,
  completeAuditLogOptions,
  membersOptions,
  organizationMembersOptions,
  organizationsOptions,
} from '@causeway/sdk/react'
import { useState } from 'react'
import { asOrganization } from '../api/connectionContext.tsx'
import { useProvenChange } from '../api/useProvenChange.ts'
import { Badge } from '../components/Badge.tsx'
import { ChangeButton } from '../components/ChangeButton.tsx'
import { Choice } from '../components/Choice.tsx'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { timeColumn } from '../components/columns.tsx'
import type { Column } from '../components/DataTable.tsx'
import { ListCard } from '../components/ListCard.tsx'
import type { AnsweredQuery } from '../components/states.tsx'
import { useSession } from '../session/SessionProvider.tsx'
import { type Member, ROLE_OPTIONS, ROLES } from './memberRole.ts'

type Open = { action: 'role' | 'remove'; member: Member } | null

type Props = {
  query: AnsweredQuery<AllRows<Member>>
  /** The organization, where an operator changes another than the chosen one. */
  organizationId?: string
  advice?: string
}

/** The members of an organization, and the ways to change their role and to end their membership. */
export function MembersCard({ query, organizationId, advice }: Props) {
  const [open, setOpen] = useState<Open>(null)
  const columns: readonly Column<Member>[] = [
    ...COLUMNS,
    {
      header: 'Change',
      isNumber: true,
      cell: (member) => (
        <span className="row-actions">
          <ChangeButton
            permission="members"
            isSmall
            onClick={() => setOpen({ action: 'role', member })}
          >
            Role<span className="hidden"> of {member.name}</span>
          </ChangeButton>
          <ChangeButton
            permission="members"
            isSmall
            onClick={() => setOpen({ action: 'remove', member })}
          >
            Remove<span className="hidden"> {member.name}</span>
          </ChangeButton>
        </span>
      ),
    },
  ]
  const dialog = { organizationId, onClose: () => setOpen(null) }
  return (
    <ListCard
      title="Members"
      query={query}
      columns={columns}
      keyOf={({ userId }) => userId}
      none="Nobody is a member"
      advice={advice}
    >
      {open?.action === 'role' && <ChangeRole member={open.member} {...dialog} />}
      {open?.action === 'remove' && <RemoveMember member={open.member} {...dialog} />}
    </ListCard>
  )
}

const COLUMNS: readonly Column<Member>[] = [
  {
    header: 'Name',
    sortBy: ({ name }) => name,
    cell: ({ name, email }) => (
      <>
        <strong>{name}</strong> <span className="muted">{email}</span>
      </>
    ),
  },
  {
    header: 'Role',
    sortBy: ({ role }) => role ?? '',
    cell: ({ role, isOperator }) => (
      <span className="badges">
        {role && ROLES[role].name}
        {isOperator && <Badge tone="info">Operator</Badge>}
      </span>
    ),
  },
  {
    header: 'Second factor',
    cell: ({ hasSecondFactor }) => (
      <Badge tone={hasSecondFactor ? 'good' : 'warn'}>{hasSecondFactor ? 'On' : 'Off'}</Badge>
    ),
  },
  timeColumn('Joined', ({ joinedAt }) => joinedAt),
]

type DialogProps = { member: Member; organizationId: string | undefined; onClose: () => void }

const AFFECTED = [
  membersOptions,
  organizationMembersOptions,
  organizationsOptions,
  completeAuditLogOptions,
]

/** A change of a member, which closes its dialog. */
function useMemberChange(
  { organizationId, onClose }: DialogProps,
  change: (api: Connection) => Promise<unknown>,
) {
  const { refresh } = useSession()
  return useProvenChange((api) => change(asOrganization(api, organizationId)), AFFECTED, {
    onSuccess() {
      onClose()
      // It may be themselves. The change is made; a session that is not read now is read again in time.
      void refresh().catch(() => {})
    },
  })
}

/** Gives a member another role, which takes effect at once. */
function ChangeRole(props: DialogProps) {
  const { userId, name, role: present } = props.member
  const [role, setRole] = useState(present ?? 'VIEWER')
  const change = useMemberChange(props, (api) => changeMemberRole(api, { userId, role }))
  return (
    <ConfirmDialog
      title={`The role of ${name}`}
      about="It takes effect with their next request."
      action="Change the role"
      change={change}
      onClose={props.onClose}
    >
      <Choice name="Role" options={ROLE_OPTIONS} value={role} onChoose={setRole} />
    </ConfirmDialog>
  )
}

/** Ends a membership. */
function RemoveMember(props: DialogProps) {
  const { userId, name, email } = props.member
  const remove = useMemberChange(props, (api) => removeMember(api, { userId }))
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      about={`${email} can no longer look at anything of the organization. Keys that they made go on.`}
      action="Remove"
      change={remove}
      onClose={props.onClose}
    />
  )
}
