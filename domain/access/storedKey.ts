import { LRUCache } from 'lru-cache'
import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import type { RateLimitTier } from './rateLimitTier.ts'

export type StoredKey = {
  organizationId: string
  rateLimitTier: RateLimitTier
  defaultDistributorCode: Hex | null
  slippageBps: number
  settleOnSubmit: boolean
  secretHash: Uint8Array
  expiresAt: Date | null
  revokedAt: Date | null
  lastUsedAt: Date | null
}

/** How long a revoked key may still be taken; interface promise is 5 s. */
const CACHE_MS = 4_000
const MOST_CACHED = 10_000

type Lookups = LRUCache<string, Promise<StoredKey | null>>
const lookupsOf = new WeakMap<Sql, Lookups>()

/** What is stored of a key, at most 4 s old; null when there is none. Callers of one key share a query. */
export function getStoredKey(sql: Sql, publicId: string): Promise<StoredKey | null> {
  const lookups = lookupsOf.get(sql) ?? createLookups(sql)
  const cached = lookups.get(publicId)
  if (cached) return cached
  const lookup = selectKey(sql, publicId)
  lookups.set(publicId, lookup)
  // Only what exists is kept: a key works from the moment it is made, and a failure is not remembered.
  const forget = () => {
    if (lookups.peek(publicId) === lookup) lookups.delete(publicId)
  }
  lookup.then((found) => {
    if (!found) forget()
  }, forget)
  return lookup
}

function createLookups(sql: Sql): Lookups {
  const lookups: Lookups = new LRUCache({ max: MOST_CACHED, ttl: CACHE_MS })
  lookupsOf.set(sql, lookups)
  return lookups
}

async function selectKey(sql: Sql, publicId: string): Promise<StoredKey | null> {
  const [found] = await sql<StoredKey[]>`
    select k.organization_id as "organizationId", k.secret_hash as "secretHash",
      k.expires_at as "expiresAt", k.revoked_at as "revokedAt", k.last_used_at as "lastUsedAt",
      o.default_distributor_code as "defaultDistributorCode", o.slippage_bps as "slippageBps",
      o.settle_on_submit as "settleOnSubmit",
      o.rate_limit_tier as "rateLimitTier"
    from app.api_key k join app.organization o on o.id = k.organization_id
    where k.public_id = ${publicId}`
  return found ?? null
}
