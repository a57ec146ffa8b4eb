import { listMembers } from '@causeway/sdk'
import { useState } from 'react'
import { readAll } from '../api/readAll.ts'
import { useApi } from '../api/useApi.ts'
import { Badge } from '../components/Badge.tsx'
import { Card } from '../components/Card.tsx'
import { ChangeButton } from '../components/ChangeButton.tsx'
import { CutNote } from '../components/CutNote.tsx'
import { type Column, DataTable } from '../components/DataTable.tsx'
import { Answered } from '../components/states.tsx'
import { Time } from '../components/Time.tsx'
import { ChangeRole } from './ChangeRole.tsx'
import { MEMBERS, type Member, ROLES } from './memberRole.ts'
import { RemoveMember } from './RemoveMember.tsx'

type Open = { action: 'role' | 'remove'; member: Member } | null

export function MembersCard() {
  const [open, setOpen] = useState<Open>(null)
  const query = useApi(
    (connection, options) =>
      readAll(listMembers(connection, { pageSize: 100 }, options), 'members'),
    { key: [MEMBERS] },
  )
  const columns: readonly Column<Member>[] = [
    ...COLUMNS,
    {
      id: 'actions',
      header: 'Change',
      isNumber: true,
      cell: (member) => (
        <span className="row-actions">
          <ChangeButton
            permission="members"
            className="button small"
            onClick={() => setOpen({ action: 'role', member })}
          >
            Role<span className="hidden"> of {member.name}</span>
          </ChangeButton>
          <ChangeButton
            permission="members"
            className="button small"
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
    <Card title="Members" isFlush>
      <Answered query={query}>
        {({ rows, isCut }) => (
          <>
            <DataTable
              label="Members"
              rows={rows}
              columns={columns}
              keyOf={({ userId }) => userId}
            />
            <CutNote isCut={isCut} />
          </>
        )}
      </Answered>
      {open?.action === 'role' && <ChangeRole member={open.member} onClose={close} />}
      {open?.action === 'remove' && <RemoveMember member={open.member} onClose={close} />}
    </Card>
  )
}

const COLUMNS: readonly Column<Member>[] = [
  {
    id: 'name',
    header: 'Name',
    sortBy: ({ name }) => name,
    cell: ({ name, email }) => (
      <>
        <strong>{name}</strong> <span className="muted">{email}</span>
      </>
    ),
  },
  {
    id: 'role',
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
    id: 'factor',
    header: 'Second factor',
    cell: ({ hasSecondFactor }) => (
      <Badge tone={hasSecondFactor ? 'good' : 'warn'}>{hasSecondFactor ? 'On' : 'Off'}</Badge>
    ),
  },
  {
    id: 'joined',
    header: 'Joined',
    sortBy: ({ joinedAt }) => joinedAt.getTime(),
    cell: ({ joinedAt }) => <Time time={joinedAt} />,
  },
]
