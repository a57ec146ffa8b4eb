import { type Connection, changeMemberRole, type components, removeMember } from '@causeway/sdk'
import {
  completeAuditLogOptions,
  organizationMembersOptions,
  organizationsOptions,
  useAll,
} from '@causeway/sdk/react'
import { useState } from 'react'
import { useProvenChange } from '../api/useProvenChange.ts'
import { Badge } from '../components/Badge.tsx'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { timeColumn } from '../components/columns.tsx'
import type { Column } from '../components/DataTable.tsx'
import { ListCard } from '../components/ListCard.tsx'
import { Refusal } from '../components/Refusal.tsx'

type Member = components['schemas']['Member']
type Role = components['schemas']['MemberRole']

const ROLES: Record<Role, string> = { OWNER: 'Owner', DEVELOPER: 'Developer', VIEWER: 'Viewer' }
const ROLE_NAMES = Object.keys(ROLES).filter((name): name is Role => name in ROLES)
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
      id: 'name',
      header: 'Name',
      sortBy: ({ name }) => name,
      cell: ({ name, isOperator }) => (
        <span className="badges">
          <strong>{name}</strong>
          {isOperator && <Badge tone="info">Operator</Badge>}
        </span>
      ),
    },
    { id: 'email', header: 'Email', sortBy: ({ email }) => email, cell: ({ email }) => email },
    {
      id: 'role',
      header: 'Role',
      cell: ({ userId, name, role }) => (
        <select
          aria-label={`Role of ${name}`}
          value={role ?? ''}
          disabled={setRole.isPending}
          onChange={(event) => {
            const found = ROLE_NAMES.find((one) => one === event.target.value)
            if (found) setRole.mutate({ userId, role: found })
          }}
        >
          {ROLE_NAMES.map((one) => (
            <option key={one} value={one}>
              {ROLES[one]}
            </option>
          ))}
        </select>
      ),
    },
    {
      id: 'second',
      header: 'Second factor',
      cell: ({ hasSecondFactor }) => (hasSecondFactor ? 'on' : <span className="muted">off</span>),
    },
    timeColumn({ id: 'joined', header: 'Joined' }, ({ joinedAt }) => joinedAt),
    {
      id: 'remove',
      header: '',
      cell: (member) => (
        <button
          type="button"
          className="button small"
          aria-label={`Remove ${member.name}`}
          onClick={() => setLeaving(member)}
        >
          Remove
        </button>
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
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(leaving.userId)}
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
