import { hash, timingSafeEqual } from 'node:crypto'
import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import { createKeptReads, createReadStore } from '../cache/keptReads.ts'
import { oncePer } from '../cache/oncePer.ts'
import type { RateLimitTier } from '../limits/rateLimits.ts'
import type { Caller } from './caller.ts'
import { parseKey } from './keyFormat.ts'
import type { Permission } from './permissions.ts'
import { secretHash } from './secretHash.ts'

/** A key that is stored. `lastUsedAt` is the only part that changes. */
export type StoredKey = {
  publicId: string
  caller: Caller
  expiresAt: Date | null
  revokedAt: Date | null
  lastUsedAt: Date | null
}

type KeyRow = Omit<StoredKey, 'publicId' | 'caller'> & {
  organizationId: string
  permissions: Permission[]
  rateLimitTier: RateLimitTier
  defaultDistributorCode: Hex | null
  slippageBps: number
  settleOnSubmit: boolean
}

/** A key that a caller presents: its public id and the hash of its secret. */
type ShownKey = { publicId: string; hash: Uint8Array }

/** How long a revoked key may still be accepted; the API promises 5 s. */
const CACHE_MS = 4_000
const MOST_CACHED = 10_000
/** Stands for the hash of an unknown key: no HMAC is all zeros. */
const NO_HASH = new Uint8Array(32)

type Asked = { sql: Sql; headerValue: string }

/** Thrown, because failures are not kept: a wrong secret costs the same as an unknown public id every time, and a new key works at once. */
class UnknownKey extends Error {}

/** Of a service secret. A process has one. */
const readsOf = oncePer((appSecret: Uint8Array) =>
  createKeptReads(
    createReadStore('keys', { max: MOST_CACHED }),
    {
      name: 'keys',
      // No secret stays in memory.
      keyOf: ({ headerValue }: Asked) => hash('sha256', headerValue, 'base64'),
      lifeMs: CACHE_MS,
    },
    async ({ sql, headerValue }) => {
      const parts = parseKey(headerValue)
      const shown = { publicId: parts.publicId, hash: secretHash(parts, appSecret) }
      const stored = await selectKey(sql, shown)
      if (!stored) throw new UnknownKey()
      return stored
    },
  ),
)

/** Where keys are stored, and the secret of the service that hashed them. */
export type KeyStore = { sql: Sql; appSecret: Uint8Array }

/** The stored key of an `x-api-key` header if it was read within 4 s, without waiting. */
export function recentKey({ sql, appSecret }: KeyStore, headerValue: string): StoredKey | null {
  return readsOf(appSecret).known({ sql, headerValue }) ?? null
}

/**
 * The stored key, at most 4 s old; null if the public id or the secret is wrong. Concurrent requests with the
 * same key share a query. Throws `UNAUTHENTICATED` for a header that is malformed.
 */
export async function findStoredKey(
  { sql, appSecret }: KeyStore,
  headerValue: string,
): Promise<StoredKey | null> {
  try {
    return await readsOf(appSecret).get({ sql, headerValue })
  } catch (error) {
    if (error instanceof UnknownKey) return null
    throw error
  }
}

/** Selects only a hash, or a substitute, so that the answer has the same size with and without a key. */
async function isHashRight(sql: Sql, { publicId, hash }: ShownKey): Promise<boolean> {
  const [row] = await sql<{ stored: Uint8Array }[]>`
    select coalesce(
      (select secret_hash from app.api_key where public_id = ${publicId}), ${NO_HASH}::bytea
    ) as stored`
  return timingSafeEqual(row?.stored ?? NO_HASH, hash)
}

async function selectKey(sql: Sql, shown: ShownKey): Promise<StoredKey | null> {
  if (!(await isHashRight(sql, shown))) return null
  const [row] = await sql<KeyRow[]>`
    select k.organization_id as "organizationId", k.permissions, k.expires_at as "expiresAt",
      k.revoked_at as "revokedAt", k.last_used_at as "lastUsedAt",
      o.rate_limit_tier as "rateLimitTier", o.default_distributor_code as "defaultDistributorCode",
      o.slippage_bps as "slippageBps", o.settle_on_submit as "settleOnSubmit"
    from app.api_key k join app.organization o on o.id = k.organization_id
    where k.public_id = ${shown.publicId}`
  if (!row) return null
  const { publicId } = shown
  const { expiresAt, revokedAt, lastUsedAt, ...account } = row
  const caller = {
    ...account,
    changes: account.permissions,
    actor: `key:${publicId}`,
    member: null,
  }
  return { publicId, caller, expiresAt, revokedAt, lastUsedAt }
}
