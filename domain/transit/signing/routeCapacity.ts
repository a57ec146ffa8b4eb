import type { ISql } from 'postgres'
import { isNotIndexed } from '../../../db/isNotIndexed.ts'
import { ANONYMOUS_DIVISOR, CALLER_DIVISOR } from '../../addressBook/capShares.ts'
import { createKeptReads, type ReadStore } from '../../cache/keptReads.ts'
import { ServiceError } from '../../error/serviceError.ts'
import { checksummed } from '../../token/checksummed.ts'
import type { ResolvedRoute } from '../routes/resolvedRoutes.ts'

/** The account that a quote is counted for: an organization, or the address of a client without a key. */
export type QuotePrincipal = { organizationId: string } | { clientAddress: string }

/** Amounts are base units of the offer asset, `deadline` is Unix seconds. */
type QuotedAmount = { amount: bigint; deadline: bigint; principal: QuotePrincipal }

export type RouteCapacity = {
  /**
   * Counts an amount before its quote is signed, for all replicas. Throws `ROUTE_EXHAUSTED` with what is
   * left, and the database's error.
   */
  reserve(resolved: ResolvedRoute, quoted: QuotedAmount): Promise<void>
}

/**
 * The sum of the orders that were submitted in the last hour and had a deadline before `fromMinute`. Quotes with
 * a later deadline are counted as quotes, because the index does not know yet whether they were submitted.
 */
type Submitted = { amount: string; fromMinute: string }

const LIFE_MS = 5_000
const HOUR_SECONDS = 3_600

export function createRouteCapacity(sql: ISql, store: ReadStore): RouteCapacity {
  const submissions = createKeptReads(
    store,
    { name: 'route_submissions', keyOf: ({ key }: ResolvedRoute) => key, lifeMs: LIFE_MS },
    (resolved) => readSubmitted(sql, resolved),
  )
  return {
    async reserve(resolved, { amount, deadline, principal }) {
      const { route } = resolved
      if (route.hourlyCap === null) return
      const cap = BigInt(route.hourlyCap)
      const submitted = await submissions.get(resolved)
      const limits = [
        ['route', cap - BigInt(submitted.amount)],
        ...('organizationId' in principal ? [] : [['anonymous', cap / ANONYMOUS_DIVISOR] as const]),
        [shareOf(principal), cap / CALLER_DIVISOR],
      ] as const
      const [row] = await sql<{ left: string | null }[]>`
        select app.reserve_transit_quote(${resolved.key}, ${String(amount)}::numeric,
          ${String(deadline / 60n)}::bigint, ${submitted.fromMinute}::bigint,
          ${limits.map(([share]) => share)}::text[],
          ${limits.map(([, limit]) => String(limit))}::numeric[]) as left`
      if (row?.left !== null) throw exhausted(resolved, row?.left ?? '0')
    },
  }
}

function shareOf(principal: QuotePrincipal): string {
  return 'organizationId' in principal
    ? `organization:${principal.organizationId}`
    : `address:${principal.clientAddress}`
}

function exhausted({ route }: ResolvedRoute, left: string): ServiceError {
  return new ServiceError(
    'ROUTE_EXHAUSTED',
    `The route has ${left} base units of the offer asset left for you this hour`,
    {
      metadata: { asset: checksummed(route.offerAsset), remaining: left },
      retryAfterSeconds: 60,
    },
  )
}

/**
 * Reads both values in one statement. Quotes count until the indexed time of the source chain is past
 * their deadline: from then on the index has every order that was submitted in time.
 */
async function readSubmitted(sql: ISql, { route, destination }: ResolvedRoute): Promise<Submitted> {
  const anHourAgo = Math.floor(Date.now() / 1_000) - HOUR_SECONDS
  const rows = await sql<Submitted[]>`
    select indexed.minute::text as "fromMinute", (
      select coalesce(sum(s.offer_amount), 0) from read.transit_source s
      where s.chain_id = ${route.sourceChainId} and s.destination_eid = ${destination.eid}
        and s.offer_asset = ${route.offerAsset} and s.want_asset = ${route.wantAsset}
        and s.block_timestamp > ${anHourAgo}::bigint and s.deadline < indexed.minute * 60
    )::text as amount
    from (
      select greatest(max(block_timestamp), ${anHourAgo}::bigint)::bigint / 60 as minute
      from read.chain_progress where chain_id = ${route.sourceChainId}
    ) indexed`.catch((error): Submitted[] => {
    if (isNotIndexed(error)) return []
    throw error
  })
  return rows[0] ?? { amount: '0', fromMinute: String(Math.floor(anHourAgo / 60)) }
}
