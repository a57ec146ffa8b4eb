import { takeHeads } from '../../index/indexHeads.ts'
import { admitAnswer } from '../../index/indexProgress.ts'
import { ofRowsAlone } from '../../index/indexReads.ts'
import { pageKey } from '../../page/pageKey.ts'
import { pageOfRows } from '../../page/pageOfRows.ts'
import { findRoute } from '../routes/resolvedRoutes.ts'
import { scaleAmount, WIRE_DECIMALS } from '../scaleAmount.ts'
import { transitChains } from '../transitChains.ts'
import type { TransitContext } from '../transitContext.ts'
import { type StatsRow, selectStats } from './selectStats.ts'
import {
  type StatsCursor,
  type StatsQuery,
  statsQuery,
  type TransitStatsParams,
} from './statsQuery.ts'
import type { TransitStats, TransitStatsPage } from './transitStats.ts'

/** The intervals that are read at first; as long as they do not fill the page, eight times as many. */
const FIRST_INTERVALS = 32

/**
 * The stats of routes by time and route: a row for each route and interval in which something happened. Throws
 * `INVALID_FILTER`, `INVALID_PAGE_TOKEN`, `INVALID_FIELD`, `INDEX_CATCHING_UP`, and `RPC_UNAVAILABLE` for a token that is
 * not in the address book.
 */
export async function listTransitStats(
  context: TransitContext,
  params: TransitStatsParams,
): Promise<TransitStatsPage> {
  const query = statsQuery(context, params)
  const chainIds = transitChains(context.addressBook).map(({ chainId }) => chainId)
  const rows = await selectPage(context, { ...query, chainIds })
  const found = rows.filter(({ offerAsset }) => offerAsset !== null)
  const page = pageOfRows(context, query, { name: 'transitStats', rows: found, place: placeOf })
  const transitStats = await Promise.all(page.transitStats.map((row) => toStats(context, row)))
  return { ...page, transitStats }
}

/** Reads few intervals first: where much happens they fill the page, and a long time is not read for it. */
async function selectPage(
  context: TransitContext,
  query: StatsQuery & { chainIds: number[] },
): Promise<readonly StatsRow[]> {
  const { interval, pageSize, cursor } = query
  const after = cursor?.[0] ?? query.after
  if (interval === null) return readStats(context, query)
  for (let intervals = FIRST_INTERVALS; ; intervals *= 8) {
    const end = (Math.floor(after / interval) + intervals) * interval
    const until = Math.min(end, query.until)
    const rows = await readStats(context, { ...query, after, until })
    if (rows.length > pageSize || until === query.until) return rows
  }
}

/** Throws `INDEX_CATCHING_UP`. */
async function readStats(
  context: TransitContext,
  query: StatsQuery & { chainIds: number[] },
): Promise<readonly StatsRow[]> {
  const { after, until, chainIds } = query
  const key = JSON.stringify([pageKey(query), after, until])
  const select = () =>
    context.readIndex(async (pools) => {
      const rows = await selectStats(pools, query)
      return { heads: takeHeads(rows), chainIds, value: rows }
    })
  const { progress, value } = await context.indexReads.read(key, {
    select,
    isSameAt: ofRowsAlone,
    kilobytes: (rows) => rows.length + 1,
  })
  await admitAnswer(context, progress, chainIds)
  return value
}

function placeOf(row: StatsRow): StatsCursor {
  const { startTime, sourceChainId, destinationChainId, offerAsset, wantAsset } = row
  return [startTime, sourceChainId, destinationChainId, offerAsset, wantAsset]
}

async function toStats(
  { tokens, addressBook, statsLatencies }: TransitContext,
  row: StatsRow,
): Promise<TransitStats> {
  const { heads: _, destinationEid: __, pendingThere, pendingBetween, ...stats } = row
  const between = BigInt(pendingBetween)
  const { destinationChainId, wantAsset } = row
  const latency = await statsLatencies.read(row, findRoute(addressBook, row))
  const { decimals } =
    between === 0n ? { decimals: WIRE_DECIMALS } : await tokens.get(destinationChainId, wantAsset)
  return {
    ...stats,
    latency,
    offerVolume: BigInt(row.offerVolume),
    protocolFees: BigInt(row.protocolFees),
    deliveredVolume: BigInt(row.deliveredVolume),
    pendingAmount: BigInt(pendingThere) + scaleAmount(between, WIRE_DECIMALS, decimals),
  }
}
