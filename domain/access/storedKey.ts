import { timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Sql } from 'postgres'
import type { Hex } from 'viem'
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

/** What a caller shows of a key: its public id, and the hash that only its secret gives. */
export type ShownKey = { publicId: string; hash: Uint8Array }

/** How long a revoked key may still be taken; interface promise is 5 s. */
const CACHE_MS = 4_000
const MOST_CACHED = 10_000
/** Compared with where nothing is stored: no HMAC is all zeros. */
const NO_HASH = new Uint8Array(32)

type Lookups = LRUCache<string, Promise<StoredKey | null>>
const lookupsOf = new WeakMap<Sql, Lookups>()

/**
 * What is stored of a key, at most 4 s old; null when there is none of this public id and hash.
 * Callers that show the same share a query. Only what was shown rightly is kept: so a wrong secret costs
 * what an unknown public id costs, each time, and a key works from the moment it is made.
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
  const lookups: Lookups = new LRUCache({ max: MOST_CACHED, ttl: CACHE_MS })
  lookupsOf.set(sql, lookups)
  return lookups
}

/** The hash of a key by itself, or one in its place: an answer of the same size, whether there is a key or not. */
async function isShownRightly(sql: Sql, { publicId, hash }: ShownKey): Promise<boolean> {
  const [row] = await sql<{ stored: Uint8Array }[]>`
    select coalesce(
      (select secret_hash from app.api_key where public_id = ${publicId}), ${NO_HASH}::bytea
    ) as stored`
  return timingSafeEqual(row?.stored ?? NO_HASH, hash)
}

async function selectKey(sql: Sql, shown: ShownKey): Promise<StoredKey | null> {
  if (!(await isShownRightly(sql, shown))) return null
  const [stored] = await sql<StoredKey[]>`
    select k.organization_id as "organizationId", k.permissions, k.expires_at as "expiresAt",
      k.revoked_at as "revokedAt", k.last_used_at as "lastUsedAt",
      o.rate_limit_tier as "rateLimitTier", o.default_distributor_code as "defaultDistributorCode",
      o.slippage_bps as "slippageBps", o.settle_on_submit as "settleOnSubmit"
    from app.api_key k join app.organization o on o.id = k.organization_id
    where k.public_id = ${shown.publicId}`
  return stored ?? null
}
