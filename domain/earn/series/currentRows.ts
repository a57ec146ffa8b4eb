import type { EarnContext } from '../earnContext.ts'
import type { EarnDeployment } from '../vaults/deployments.ts'
import { type LiveDeployment, readDeploymentStates } from '../vaults/liveDeployments.ts'
import type { SeriesPlace } from './selectSeries.ts'
import type { SeriesCursor, SeriesQuery } from './seriesQuery.ts'

type Reads<Past, Now> = {
  query: SeriesQuery
  deployments: EarnDeployment[]
  /** Whether each vault has a row of now besides. */
  includeCurrent: boolean
  /** The next rows of the past after the cursor, at most so many. */
  readPast: (limit: number) => Promise<readonly Past[]>
  /** The rows of now of these, in their order. */
  readNow: (live: LiveDeployment[]) => Promise<Now[]> | Now[]
}

/** The rows of a page, and one more if there is a next page. In descending order `now` comes first. */
export type PastAndNow<Past, Now> = {
  /** The same object for as long as the rows are kept. */
  past: readonly Past[]
  now: Now[]
}

/**
 * The rows of a page. The rows of now are the newest. They count as one moment, by chain and vault, though the times of
 * their blocks differ, so that their order is the same on every page. A requested range has the rows of now whose times are in it. Chains fail like in
 * `readDeploymentStates`.
 */
export async function readWithCurrent<Past, Now>(
  context: EarnContext,
  { query, deployments, includeCurrent, readPast, readNow }: Reads<Past, Now>,
): Promise<PastAndNow<Past, Now>> {
  const { cursor, pageSize, orderByTimestamp, range } = query
  const limit = pageSize + 1
  const isAmongNow = cursor?.[0] === 'now'
  async function readCurrent() {
    if (!includeCurrent) return []
    // A range that is over has no row of now, which a chain without an answer could lack.
    const scope = isOver(range) ? { ...context, lostChains: [] } : context
    const live = await readDeploymentStates(scope, deployments.filter(isAfter(cursor)))
    return readNow(live.filter(({ state }) => isWithin(range, state.blockTimestamp)))
  }
  if (orderByTimestamp === 'desc') {
    const now = cursor === null || isAmongNow ? await readCurrent() : []
    return { now, past: await readPast(Math.max(limit - now.length, 0)) }
  }
  const past = await readPast(isAmongNow ? 0 : limit)
  return { past, now: past.length < limit ? await readCurrent() : [] }
}

/** The rows in the order of the page. */
export function inOrder<Row>(
  { orderByTimestamp }: Pick<SeriesQuery, 'orderByTimestamp'>,
  { past, now }: { past: readonly Row[]; now: readonly Row[] },
): Row[] {
  return orderByTimestamp === 'desc' ? [...now, ...past] : [...past, ...now]
}

/** Blocks may be some time behind the clock. */
const OVER_SECONDS = 3_600

function isOver(range: SeriesQuery['range']): boolean {
  return range !== null && range.endTime + OVER_SECONDS < Date.now() / 1_000
}

function isWithin(range: SeriesQuery['range'], time: number): boolean {
  return range === null || (time > range.startTime && time <= range.endTime)
}

function isAfter(cursor: SeriesCursor | null) {
  const [time, chainId, vault] = cursor ?? [0]
  return (entry: EarnDeployment) =>
    time !== 'now' ||
    entry.chainId > Number(chainId) ||
    (entry.chainId === chainId && entry.vault > String(vault))
}

/** The place of a row among those of all pages. */
export function seriesCursor({
  isCurrent,
  timestamp,
  chainId,
  vault,
}: Omit<SeriesPlace, 'at'> & { isCurrent: boolean; timestamp: number }): SeriesCursor {
  return [isCurrent ? 'now' : timestamp, chainId, vault]
}
