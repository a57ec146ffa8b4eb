import { ServiceError } from '../error/serviceError.ts'
import type { Caller } from './caller.ts'
import { type Permission, permissionOf, showsSecret } from './permissions.ts'

/** The time after a proof of who is there for which secrets are shown. */
const PROOF_LASTS_MS = 10 * 60_000

/** The caller. Throws `UNAUTHENTICATED` without one, `PERMISSION_DENIED` for one that lacks the permission. */
export function requirePermission(caller: Caller | null, permission: Permission): Caller {
  if (!caller)
    throw new ServiceError(
      'UNAUTHENTICATED',
      `This needs an API key with the permission ${permission}: send one in the x-api-key header.`,
    )
  if (!caller.permissions.includes(permission)) throw denied(caller, permission)
  return caller
}

/** Throws as `requirePermission` unless the caller may change what the permission is for. */
export function requireChange(caller: Caller | null, permission: Permission): void {
  const known = requirePermission(caller, permission)
  if (!known.changes.includes(permission)) throw denied(known, permission)
}

/**
 * Throws as `requirePermission` unless the caller may use this root field. A member also needs a role that
 * may change things for a mutation, and a fresh proof of who it is for a secret (`REAUTHENTICATION_NEEDED`).
 */
export function requireAccess(
  caller: Caller | null,
  { field, isChange }: { field: string; isChange: boolean },
): void {
  const permission = permissionOf(field)
  if (permission === null) return
  const { member } = requirePermission(caller, permission)
  if (isChange) requireChange(caller, permission)
  if (!member || !showsSecret(field)) return
  if (Date.now() - member.authenticatedAt.getTime() > PROOF_LASTS_MS)
    throw new ServiceError(
      'REAUTHENTICATION_NEEDED',
      'The answer shows a secret: enter your password or a code again.',
    )
}

function denied({ member }: Caller, permission: Permission): ServiceError {
  const message = member
    ? `Your role lacks the permission ${permission}.`
    : `The API key lacks the permission ${permission}.`
  return new ServiceError('PERMISSION_DENIED', message, { metadata: { permission } })
}
