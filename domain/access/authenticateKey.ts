import type { Sql } from 'postgres'
import { ServiceError } from '../error/serviceError.ts'
import type { Caller } from './caller.ts'
import { parseKey } from './keyFormat.ts'
import type { KeyContext } from './keys.ts'
import { secretHash } from './secretHash.ts'
import { findStoredKey, type StoredKey } from './storedKey.ts'

const USE_RECORDED_EVERY_MS = 60_000

/**
 * The caller of an `x-api-key` header. Throws `UNAUTHENTICATED` if it is malformed, unknown, revoked (within
 * 5 s) or expired.
 */
export async function authenticateKey(
  { sql, appSecret }: KeyContext,
  headerValue: string,
): Promise<Caller> {
  const parts = parseKey(headerValue)
  const { publicId } = parts
  const stored = await findStoredKey(sql, { publicId, hash: secretHash(parts, appSecret) })
  // The same answer for an unknown public id and a wrong secret: it does not reveal which ids exist.
  if (!stored) throw new ServiceError('UNAUTHENTICATED', 'The API key is unknown')
  if (stored.revokedAt) throw new ServiceError('UNAUTHENTICATED', 'The API key was revoked')
  if (stored.expiresAt && stored.expiresAt.getTime() <= Date.now())
    throw new ServiceError('UNAUTHENTICATED', 'The API key has expired')
  await recordUse(sql, publicId, stored)
  const { expiresAt: _, revokedAt: __, lastUsedAt: ___, ...caller } = stored
  return { ...caller, changes: caller.permissions, actor: `key:${publicId}`, member: null }
}

async function recordUse(sql: Sql, publicId: string, stored: StoredKey) {
  const now = new Date()
  if (stored.lastUsedAt && now.getTime() - stored.lastUsedAt.getTime() < USE_RECORDED_EVERY_MS)
    return
  // Updates the cached row, so that the next requests do not write again.
  stored.lastUsedAt = now
  await sql`update app.api_key set last_used_at = ${now} where public_id = ${publicId}`
}
