import type { Sql } from 'postgres'
import { isDatabaseDown } from '../../db/isDatabaseDown.ts'
import { ServiceError } from '../error/serviceError.ts'
import type { Caller } from './caller.ts'
import type { KeyContext } from './keys.ts'
import { findStoredKey, recentKey, type StoredKey } from './storedKey.ts'

const USE_RECORDED_EVERY_MS = 60_000

/**
 * The caller of an `x-api-key` header. Throws `UNAUTHENTICATED` if it is malformed, unknown, revoked (within
 * 5 s) or expired.
 */
export async function authenticateKey(context: KeyContext, headerValue: string): Promise<Caller> {
  const stored = await findStoredKey(context, headerValue)
  // The same answer for an unknown public id and a wrong secret: it does not reveal which ids exist.
  if (!stored) throw new ServiceError('UNAUTHENTICATED', 'The API key is unknown')
  if (stored.revokedAt) throw new ServiceError('UNAUTHENTICATED', 'The API key was revoked')
  if (isExpired(stored)) throw new ServiceError('UNAUTHENTICATED', 'The API key has expired')
  if (!isUseRecorded(stored)) await recordUse(context.sql, stored)
  return stored.caller
}

/** The same without waiting; null where `authenticateKey` would read, write or refuse. */
export function recentCaller(context: KeyContext, headerValue: string): Caller | null {
  const stored = recentKey(context, headerValue)
  if (!stored || stored.revokedAt || isExpired(stored) || !isUseRecorded(stored)) return null
  return stored.caller
}

function isExpired({ expiresAt }: StoredKey): boolean {
  return expiresAt !== null && expiresAt.getTime() <= Date.now()
}

function isUseRecorded({ lastUsedAt }: StoredKey): boolean {
  return lastUsedAt !== null && Date.now() - lastUsedAt.getTime() < USE_RECORDED_EVERY_MS
}

async function recordUse(sql: Sql, stored: StoredKey) {
  // Updates the cached row, so that the next requests do not write again.
  stored.lastUsedAt = new Date()
  try {
    await sql`update app.api_key set last_used_at = ${stored.lastUsedAt} where public_id = ${stored.publicId}`
  } catch (error) {
    // Reads go on where the database takes no writes. The next minute tries again.
    if (!isDatabaseDown(error)) throw error
  }
}
