import type { Sql } from 'postgres'
import type { RateLimitTier } from './rateLimits.ts'
import { bucketOf, LIMIT_CLASSES, type LimitClass, RATE_LIMITS } from './rateLimits.ts'

/** The points of a class per window, and what is left of them now. */
export type Quota = {
  /** Null for no limit. */
  limit: number | null
  /** Leases of processes count as used. Null for no limit. */
  remaining: number | null
  /** The end of the present window. Null where none has begun. */
  resetsAt: Date | null
}

export type Quotas = Record<LimitClass, Quota>

type Counted = { key: string; points: number; expire: bigint | null }

/** The quotas of API keys by public id, from the counts that all processes share. */
export async function readQuotas(
  sql: Sql,
  keys: readonly { publicId: string; tier: RateLimitTier }[],
): Promise<Map<string, Quotas>> {
  const buckets = keys.flatMap(({ publicId }) =>
    LIMIT_CLASSES.map((limitClass) => bucketOf(limitClass, `key:${publicId}`)),
  )
  const rows = await sql<Counted[]>`
    select key, points, expire from app.rate_limit where key = any(${buckets}::text[])`
  const counted = new Map(rows.map((row) => [row.key, row]))
  return new Map(
    keys.map(({ publicId, tier }) => {
      const quotaOf = (limitClass: LimitClass) =>
        toQuota(RATE_LIMITS[tier][limitClass], counted.get(bucketOf(limitClass, `key:${publicId}`)))
      return [
        publicId,
        { reads: quotaOf('reads'), prepare: quotaOf('prepare'), graphql: quotaOf('graphql') },
      ]
    }),
  )
}

function toQuota(limit: number | null, counted: Counted | undefined): Quota {
  if (limit === null) return { limit, remaining: null, resetsAt: null }
  const endsAt = Number(counted?.expire ?? 0)
  if (!counted || endsAt <= Date.now()) return { limit, remaining: limit, resetsAt: null }
  return { limit, remaining: Math.max(limit - counted.points, 0), resetsAt: new Date(endsAt) }
}
