import type { Sql } from 'postgres'
import { ServiceError } from '../error/serviceError.ts'
import type { Caller } from './caller.ts'
import { parseKey } from './keyFormat.ts'
import type { KeyContext } from './keys.ts'
import { secretHash } from './secretHash.ts'
import { findStoredKey, type StoredKey } from './storedKey.ts'

const USE_NOTED_EVERY_MS = 60_000

/**
 * Who the value of an `x-api-key` header speaks for. Throws `UNAUTHENTICATED` when it is malformed,
 * unknown, revoked (within 5 s of it) or expired.
 */
export async function authenticateKey(
  { sql, appSecret }: KeyContext,
  headerValue: string,
): Promise<Caller> {
  const parts = parseKey(headerValue)
  const { publicId } = parts
  const stored = await findStoredKey(sql, { publicId, hash: secretHash(parts, appSecret) })
  // One answer for an unknown public id and a wrong secret: nobody learns which public ids exist.
  if (!stored) throw new ServiceError('UNAUTHENTICATED', 'The API key is unknown')
  if (stored.revokedAt) throw new ServiceError('UNAUTHENTICATED', 'The API key was revoked')
  if (stored.expiresAt && stored.expiresAt.getTime() <= Date.now())
    throw new ServiceError('UNAUTHENTICATED', 'The API key has expired')
  await noteUse(sql, publicId, stored)
  const { expiresAt: _, revokedAt: __, lastUsedAt: ___, ...caller } = stored
  return { ...caller, keyId: publicId }
}

async function noteUse(sql: Sql, publicId: string, stored: StoredKey) {
  const now = new Date()
  if (stored.lastUsedAt && now.getTime() - stored.lastUsedAt.getTime() < USE_NOTED_EVERY_MS) return
  // The cached row, so that requests of the next seconds do not write as well.
  stored.lastUsedAt = now
  await sql`update app.api_key set last_used_at = ${now} where public_id = ${publicId}`
}
