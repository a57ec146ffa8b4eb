import { createHash } from 'node:crypto'
import { authenticateKey, recentCaller } from '../../domain/access/authenticateKey.ts'
import type { Caller } from '../../domain/access/caller.ts'
import type { KeyContext } from '../../domain/access/keys.ts'
import { countedCache } from '../../domain/cache/countedCache.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'
import type { QuotaLeases } from '../../domain/limits/quotaLeases.ts'
import { REFUSED_KEYS_LIMIT } from '../../domain/limits/rateLimits.ts'
import type { Authenticate } from '../http/requestContext.ts'
import { rateLimited } from './rateLimited.ts'

const MOST_KNOWN = 10_000
const KNOWN_MS = 600_000
const PRICE = { limit: REFUSED_KEYS_LIMIT, points: 1 }

/**
 * Like `authenticateKey`, but throws `RATE_LIMITED` for an address that has sent too many refused keys,
 * before it looks up another. Keys that were valid here lately keep working from that address.
 */
export function guardKeys(context: KeyContext, leases: QuotaLeases | null): Authenticate {
  if (!leases)
    return (headerValue) =>
      recentCaller(context, headerValue) ?? authenticateKey(context, headerValue)
  const known = countedCache<string, Promise<Caller>>('callers', { max: MOST_KNOWN, ttl: KNOWN_MS })

  /** Charges before the look-up, so that parallel requests are limited too; a valid key is refunded. */
  const attempt = async (headerValue: string, address: string): Promise<Caller> => {
    const bucket = `keys:address:${address}`
    const { isGranted, endsAt } = await leases.charge(bucket, PRICE)
    if (!isGranted) throw tooManyRefused(endsAt)
    try {
      const caller = await authenticateKey(context, headerValue)
      leases.giveBack(bucket, PRICE.points)
      return caller
    } catch (error) {
      const isRefused = error instanceof ServiceError && error.reason === 'UNAUTHENTICATED'
      if (!isRefused) leases.giveBack(bucket, PRICE.points)
      throw error
    }
  }

  const authenticate = async (headerValue: string, address: string): Promise<Caller> => {
    const name = createHash('sha256').update(headerValue).digest('base64')
    const earlier = known.get(name)
    if (earlier) {
      await earlier
      const caller = await authenticateKey(context, headerValue)
      known.set(name, earlier) // For ten more minutes.
      return caller
    }
    const attempted = attempt(headerValue, address)
    known.set(name, attempted)
    // A refused key is not remembered.
    attempted.catch(() => known.delete(name))
    return attempted
  }

  return (headerValue, address) =>
    recentCaller(context, headerValue) ?? authenticate(headerValue, address)
}

function tooManyRefused(endsAt: number): ServiceError {
  const seconds = Math.max(Math.ceil((endsAt - Date.now()) / 1_000), 1)
  return rateLimited('Too many refused API keys were sent from your address.', {
    limitClass: 'keys',
    limit: REFUSED_KEYS_LIMIT,
    seconds,
  })
}
