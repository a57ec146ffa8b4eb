import { KEY_PERMISSIONS, type Permission } from './permissions.ts'

/** The roles of an organization's members; a constraint in the migrations has the same list. */
export const ROLES = ['owner', 'developer', 'viewer'] as const
export type Role = (typeof ROLES)[number]

/** The permissions for reads, and those for changes. */
export type Grant = { permissions: readonly Permission[]; changes: readonly Permission[] }

const READS: readonly Permission[] = [...KEY_PERMISSIONS, 'members']

const CHANGES: Record<Role, readonly Permission[]> = {
  owner: READS,
  developer: KEY_PERMISSIONS,
  viewer: [],
}

/** The permissions of a member. An operator is an owner of every organization, and has `admin`. */
export function grantOf(role: Role | null, isOperator: boolean): Grant {
  if (isOperator) return { permissions: [...READS, 'admin'], changes: [...READS, 'admin'] }
  return role ? { permissions: READS, changes: CHANGES[role] } : { permissions: [], changes: [] }
}

/** Whether a person invites others into an organization in which they have this role. */
export function mayInvite(role: Role | null, isOperator: boolean): boolean {
  return grantOf(role, isOperator).changes.includes('members')
}
