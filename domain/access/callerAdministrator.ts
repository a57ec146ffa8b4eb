import type { SharedContext } from '../context.ts'
import type { Administrator } from './audit.ts'
import type { Permission } from './permissions.ts'
import { requirePermission } from './requirePermission.ts'

/** The caller of a request as an administrator, and the organization for which it speaks. Throws as `requirePermission`. */
export function callerAdministrator(
  { sql, caller }: Pick<SharedContext, 'sql' | 'caller'>,
  permission: Permission,
): { administrator: Administrator; organizationId: string } {
  const { actor, organizationId } = requirePermission(caller, permission)
  return { administrator: { sql, actor }, organizationId }
}
