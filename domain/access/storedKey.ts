import { hash, timingSafeEqual } from 'node:crypto'
import type { LRUCache } from 'lru-cache'
import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import { countedCache } from '../observation/countedCache.ts'
import type { Caller } from './caller.ts'
import { parseKey } from './keyFormat.ts'
import type { Permission } from './permissions.ts'
import type { RateLimitTier } from './rateLimitTier.ts'
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
/** How often the cache reads the clock. By default it starts a timer for every millisecond in which it is asked. */
const CLOCK_MS = 100
const MOST_CACHED = 10_000
/** Stands for the hash of an unknown key: no HMAC is all zeros. */
const NO_HASH = new Uint8Array(32)

/** The key, as soon as it is found. */
type Lookup = { found: Promise<StoredKey | null>; stored: StoredKey | null }

type Lookups = LRUCache<string, Lookup>
const lookupsOf = new WeakMap<Sql, WeakMap<Uint8Array, Lookups>>()

/** Where keys are stored, and the secret of the service that hashed them. */
export type KeyStore = { sql: Sql; appSecret: Uint8Array }

/** The stored key of an `x-api-key` header if it was read within 4 s, without waiting. */
export function recentKey(store: KeyStore, headerValue: string): StoredKey | null {
  return lookupsIn(store).get(nameOf(headerValue))?.stored ?? null
}

/**
 * The stored key, at most 4 s old; null if the public id or the secret is wrong. Concurrent requests with the
 * same key share a query. Only valid keys are cached: a wrong secret then costs the same as an unknown public
 * id every time, and a new key works at once. Throws `UNAUTHENTICATED` for a header that is malformed.
 */
export function findStoredKey(store: KeyStore, headerValue: string): Promise<StoredKey | null> {
  const lookups = lookupsIn(store)
  const name = nameOf(headerValue)
  const known = lookups.get(name)
  if (known) return known.found
  const parts = parseKey(headerValue)
  const shown = { publicId: parts.publicId, hash: secretHash(parts, store.appSecret) }
  const lookup: Lookup = { found: selectKey(store.sql, shown), stored: null }
  lookups.set(name, lookup)
  const forget = () => {
    if (lookups.peek(name) === lookup) lookups.delete(name)
  }
  lookup.found.then((stored) => {
    lookup.stored = stored
    if (!stored) forget()
  }, forget)
  return lookup.found
}

/** No secret stays in memory. */
function nameOf(headerValue: string): string {
  return hash('sha256', headerValue, 'base64')
}

function lookupsIn({ sql, appSecret }: KeyStore): Lookups {
  const bySecret = lookupsOf.get(sql) ?? new WeakMap<Uint8Array, Lookups>()
  lookupsOf.set(sql, bySecret)
  const known = bySecret.get(appSecret)
  if (known) return known
  const lookups: Lookups = countedCache('keys', {
    max: MOST_CACHED,
    ttl: CACHE_MS,
    ttlResolution: CLOCK_MS,
  })
  bySecret.set(appSecret, lookups)
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
