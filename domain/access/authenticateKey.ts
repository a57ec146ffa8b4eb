import { timingSafeEqual } from 'node:crypto'
import type { Sql } from 'postgres'
import { ServiceError } from '../error/serviceError.ts'
import type { Caller } from './caller.ts'
import { parseKey } from './keyFormat.ts'
import type { KeyContext } from './keys.ts'
import { secretHash } from './secretHash.ts'
import { getStoredKey, type StoredKey } from './storedKey.ts'

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
  const stored = await getStoredKey(sql, parts.publicId)
  // One answer for both, so that nobody learns which public ids exist.
  if (!stored || !timingSafeEqual(stored.secretHash, secretHash(parts, appSecret)))
    throw new ServiceError('UNAUTHENTICATED', 'The API key is unknown')
  if (stored.revokedAt) throw new ServiceError('UNAUTHENTICATED', 'The API key was revoked')
  if (stored.expiresAt && stored.expiresAt.getTime() <= Date.now())
    throw new ServiceError('UNAUTHENTICATED', 'The API key has expired')
  await noteUse(sql, parts.publicId, stored)
  const { organizationId, rateLimitTier, defaultDistributorCode, slippageBps, settleOnSubmit } =
    stored
  const settings = { defaultDistributorCode, slippageBps, settleOnSubmit }
  return { organizationId, keyId: parts.publicId, rateLimitTier, ...settings }
}

async function noteUse(sql: Sql, publicId: string, stored: StoredKey) {
  const now = new Date()
  if (stored.lastUsedAt && now.getTime() - stored.lastUsedAt.getTime() < USE_NOTED_EVERY_MS) return
  // The cached row, so that requests of the next seconds do not write as well.
  stored.lastUsedAt = now
  await sql`update app.api_key set last_used_at = ${now} where public_id = ${publicId}`
}
