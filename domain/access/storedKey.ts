import { timingSafeEqual } from 'node:crypto'
import type { LRUCache } from 'lru-cache'
import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import { countedCache } from '../observation/countedCache.ts'
import type { Permission } from './permissions.ts'
import type { RateLimitTier } from './rateLimitTier.ts'

export type StoredKey = {
  organizationId: string
  permissions: Permission[]
  rateLimitTier: RateLimitTier
  defaultDistributorCode: Hex | null
  slippageBps: number
  settleOnSubmit: boolean
  expiresAt: Date | null
  revokedAt: Date | null
  lastUsedAt: Date | null
}

/** A key that a caller presents: its public id and the hash of its secret. */
export type ShownKey = { publicId: string; hash: Uint8Array }

/** How long a revoked key may still be accepted; the API promises 5 s. */
const CACHE_MS = 4_000
const MOST_CACHED = 10_000
/** Stands for the hash of an unknown key: no HMAC is all zeros. */
const NO_HASH = new Uint8Array(32)

type Lookups = LRUCache<string, Promise<StoredKey | null>>
const lookupsOf = new WeakMap<Sql, Lookups>()

/**
 * The stored key, at most 4 s old; null if the public id or the hash is wrong. Concurrent requests with the
 * same key share a query. Only valid keys are cached: a wrong secret then costs the same as an unknown public
 * id every time, and a new key works at once.
 */
export function findStoredKey(sql: Sql, shown: ShownKey): Promise<StoredKey | null> {
  const lookups = lookupsOf.get(sql) ?? createLookups(sql)
  const name = `${shown.publicId}:${Buffer.from(shown.hash).toString('base64')}`
  const cached = lookups.get(name)
  if (cached) return cached
  const lookup = selectKey(sql, shown)
  lookups.set(name, lookup)
  const forget = () => {
    if (lookups.peek(name) === lookup) lookups.delete(name)
  }
  lookup.then((found) => {
    if (!found) forget()
  }, forget)
  return lookup
}

function createLookups(sql: Sql): Lookups {
  const lookups: Lookups = countedCache('keys', { max: MOST_CACHED, ttl: CACHE_MS })
  lookupsOf.set(sql, lookups)
  return lookups
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
  const [stored] = await sql<StoredKey[]>`
    select k.organization_id as "organizationId", k.permissions, k.expires_at as "expiresAt",
      k.revoked_at as "revokedAt", k.last_used_at as "lastUsedAt",
      o.rate_limit_tier as "rateLimitTier", o.default_distributor_code as "defaultDistributorCode",
      o.slippage_bps as "slippageBps", o.settle_on_submit as "settleOnSubmit"
    from app.api_key k join app.organization o on o.id = k.organization_id
    where k.public_id = ${shown.publicId}`
  return stored ?? null
}
