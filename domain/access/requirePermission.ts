import { ServiceError } from '../error/serviceError.ts'
import type { Caller } from './caller.ts'
import type { Permission } from './permissions.ts'

/** The caller. Throws `UNAUTHENTICATED` without a key, `PERMISSION_DENIED` for one that lacks the permission. */
export function requirePermission(caller: Caller | null, permission: Permission): Caller {
  if (!caller)
    throw new ServiceError(
      'UNAUTHENTICATED',
      `This needs an API key with the permission ${permission}: send one in the x-api-key header.`,
    )
  if (!caller.permissions.includes(permission))
    throw new ServiceError('PERMISSION_DENIED', `The API key lacks the permission ${permission}.`, {
      metadata: { permission },
    })
  return caller
}
