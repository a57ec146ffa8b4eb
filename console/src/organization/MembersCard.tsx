import { changeMemberRole, removeMember } from '@causeway/sdk'
import { membersOptions, useAll } from '@causeway/sdk/react'
import { useState } from 'react'
import { useProvenChange } from '../api/useProvenChange.ts'
import { Badge } from '../components/Badge.tsx'
import { ChangeButton } from '../components/ChangeButton.tsx'
import { Choice } from '../components/Choice.tsx'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { timeColumn } from '../components/columns.tsx'
import type { Column } from '../components/DataTable.tsx'
import { ListCard } from '../components/ListCard.tsx'
import { useSession } from '../session/SessionProvider.tsx'
import { type Member, ROLE_OPTIONS, ROLES, roleOf } from './memberRole.ts'

type Open = { action: 'role' | 'remove'; member: Member } | null

export function MembersCard() {
  const [open, setOpen] = useState<Open>(null)
  const query = useAll(membersOptions)
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
  const close = () => setOpen(null)
  return (
    <ListCard
      title="Members"
      query={query}
      columns={columns}
      keyOf={({ userId }) => userId}
      none="Nobody is a member"
    >
      {open?.action === 'role' && <ChangeRole member={open.member} onClose={close} />}
      {open?.action === 'remove' && <RemoveMember member={open.member} onClose={close} />}
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

/** Gives a member another role, which takes effect at once. */
function ChangeRole({ member, onClose }: { member: Member; onClose: () => void }) {
  const [role, setRole] = useState(member.role)
  const { refresh } = useSession()
  const change = useProvenChange(
    async (api) => role && changeMemberRole(api, { userId: member.userId, role }),
    [membersOptions],
    {
      onSuccess() {
        onClose()
        // It may be their own role. The change is made; a session that is not read now is read again in time.
        void refresh().catch(() => {})
      },
    },
  )
  return (
    <ConfirmDialog
      title={`The role of ${member.name}`}
      about="It takes effect with their next request."
      action="Change the role"
      change={change}
      onClose={onClose}
    >
      <Choice
        name="Role"
        options={ROLE_OPTIONS}
        value={role ?? ''}
        onChoose={(text) => setRole(roleOf(text))}
      />
    </ConfirmDialog>
  )
}

/** Ends a membership. */
function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const { refresh } = useSession()
  const { userId, name } = member
  const remove = useProvenChange((api) => removeMember(api, { userId }), [membersOptions], {
    onSuccess() {
      onClose()
      // It may be themselves. The change is made; a session that is not read now is read again in time.
      void refresh().catch(() => {})
    },
  })
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      about="They can no longer look at anything of the organization. Keys that they made go on."
      action="Remove"
      change={remove}
      onClose={onClose}
    />
  )
}
