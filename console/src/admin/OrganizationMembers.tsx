import { type Connection, changeMemberRole, removeMember } from '@causeway/sdk'
import {
  completeAuditLogOptions,
  organizationMembersOptions,
  organizationsOptions,
  useAll,
} from '@causeway/sdk/react'
import { useState } from 'react'
import { useProvenChange } from '../api/useProvenChange.ts'
import { Badge } from '../components/Badge.tsx'
import { Button } from '../components/Button.tsx'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { timeColumn } from '../components/columns.tsx'
import type { Column } from '../components/DataTable.tsx'
import { ListCard } from '../components/ListCard.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { type Member, ROLES, type Role, roleOf } from '../organization/memberRole.ts'

const AFFECTED = [organizationMembersOptions, organizationsOptions, completeAuditLogOptions]

/** The members of any organization, whose roles an operator changes. */
export function OrganizationMembers({ organizationId }: { organizationId: string }) {
  const [leaving, setLeaving] = useState<Member | null>(null)
  const query = useAll(organizationMembersOptions, { organizationId })
  const setRole = useProvenChange(
    (connection, given: { userId: string; role: Role }) =>
      changeMemberRole(asOrganization(connection, organizationId), given),
    AFFECTED,
  )
  const remove = useProvenChange(
    (connection, userId: string) =>
      removeMember(asOrganization(connection, organizationId), { userId }),
    AFFECTED,
    { onSuccess: () => setLeaving(null) },
  )
  const columns: readonly Column<Member>[] = [
    {
      header: 'Name',
      sortBy: ({ name }) => name,
      cell: ({ name, isOperator }) => (
        <span className="badges">
          <strong>{name}</strong>
          {isOperator && <Badge tone="info">Operator</Badge>}
        </span>
      ),
    },
    { header: 'Email', sortBy: ({ email }) => email, cell: ({ email }) => email },
    {
      header: 'Role',
      cell: ({ userId, name, role }) => (
        <select
          aria-label={`Role of ${name}`}
          value={role ?? ''}
          disabled={setRole.isPending}
          onChange={(event) => {
            const chosen = roleOf(event.target.value)
            if (chosen) setRole.mutate({ userId, role: chosen })
          }}
        >
          {Object.entries(ROLES).map(([one, { name: title }]) => (
            <option key={one} value={one}>
              {title}
            </option>
          ))}
        </select>
      ),
    },
    {
      header: 'Second factor',
      cell: ({ hasSecondFactor }) => (hasSecondFactor ? 'on' : <span className="muted">off</span>),
    },
    timeColumn('Joined', ({ joinedAt }) => joinedAt),
    {
      header: '',
      cell: (member) => (
        <Button isSmall aria-label={`Remove ${member.name}`} onClick={() => setLeaving(member)}>
          Remove
        </Button>
      ),
    },
  ]
  return (
    <>
      <Refusal error={setRole.error} />
      <ListCard
        title="Members"
        query={query}
        columns={columns}
        keyOf={({ userId }) => userId}
        none="Nobody is a member"
        advice="npm run admin invites the first owner."
      />
      {leaving && (
        <ConfirmDialog
          title={`Remove ${leaving.name}`}
          about={`${leaving.email} can no longer see or change anything of this organization. Keys that they made stay.`}
          action="Remove"
          change={{ ...remove, mutate: () => remove.mutate(leaving.userId) }}
          onClose={() => setLeaving(null)}
        />
      )}
    </>
  )
}

/** The connection of an operator who speaks for another organization than the chosen one. */
function asOrganization(connection: Connection, organizationId: string): Connection {
  return {
    ...connection,
    onRequest(request) {
      connection.onRequest(request)
      request.headers.set('x-causeway-organization', organizationId)
    },
  }
}
