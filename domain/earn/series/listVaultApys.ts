import type { Address } from 'viem'
import { memoizeByRows } from '../../cache/memoizeByRows.ts'
import { INDEXED, type RowAge } from '../../chain/chainRows.ts'
import { paramViolations } from '../../error/paramViolations.ts'
import { type Page, pageOfRows } from '../../page/pageOfRows.ts'
import type { EarnContext } from '../earnContext.ts'
import { selectDeployments } from '../vaults/deploymentFilter.ts'
import type { LiveDeployment } from '../vaults/liveDeployments.ts'
import { deploymentKey, neverUpdatedRates, type RowRate } from '../vaults/neverUpdatedRates.ts'
import { apy } from './apy.ts'
import { inOrder, type PastAndNow, readWithCurrent, seriesCursor } from './currentRows.ts'
import { type GrowthRow, growthFacts } from './growthFacts.ts'
import { type GrowthNow, type GrowthOf, growthNow } from './growthNow.ts'
import { type SeriesFacts, type SeriesPlace, selectAtTimes, selectSeries } from './selectSeries.ts'
import { apyWindowParam, LEAST_APY_WINDOW } from './seriesParameters.ts'
import { type SeriesParams, type SeriesQuery, seriesQuery } from './seriesQuery.ts'

export type VaultApyParams = SeriesParams & {
  /** The seconds before a row over which growth is measured, or the vault's age if that is less. */
  apyWindow: number
  /** Adds a current row to each vault, with the rate read from its chain. */
  includeCurrent: boolean
}

/** The growth of a vault's rate up to a time. Addresses are lower case, times Unix seconds. */
export type VaultApy = RowAge & {
  vaultAddress: Address
  chainId: number
  timestamp: number
  interval: number
  /** In percent; null under the conditions of the function `apy`. */
  apy: string | null
  windowSeconds: number
  startTime: number
  /** Base units per whole share. */
  startRate: bigint
  endRate: bigint
  /** The block in which each rate was set; null for the vault's first rate. */
  startBlock: bigint | null
  /** Null also in a current row. */
  endBlock: bigint | null
  isCurrent: boolean
  /** Null but in a current row; the current rows of a page are read together, once one is asked for. */
  now: ((context: EarnContext) => Promise<GrowthNow | null>) | null
}
export type VaultApyPage = Page<'vaultApys', VaultApy> & {
  /** Reads the rows that `now` is computed from. Compare them by their values. */
  readWindows: (context: EarnContext) => Promise<object>
}

type Growth = Omit<SeriesPlace, 'at'> &
  Pick<VaultApy, 'timestamp' | 'windowSeconds' | 'startBlock' | 'endBlock' | 'isCurrent'> &
  RowAge & {
    startRate: bigint | null
    endRate: bigint | null
  }

/** The series' arguments, checked. Throws as `seriesQuery` does. */
export const vaultApyQuery = seriesQuery<VaultApyParams>({
  list: 'vaultApys',
  bound: ({ apyWindow, includeCurrent }) => [apyWindow, includeCurrent],
  violations: ({ apyWindow }) => paramViolations('apyWindow', apyWindowParam, apyWindow),
})

/**
 * The growth of each vault's rate up to each time, and up to now; none from less than a day. Current rows, and
 * the rate of a vault without an indexed one, are read from the chain, with failures like in
 * `readDeploymentStates`. Throws the errors of `vaultApyQuery`, or `INDEX_CATCHING_UP`.
 */
export async function listVaultApys(
  context: EarnContext,
  params: VaultApyParams,
): Promise<VaultApyPage> {
  const query = vaultApyQuery(context, params)
  const { apyWindow, includeCurrent } = params
  const deployments = selectDeployments(context.addressBook, query.filter)
  const facts = growthFacts((sql) => sql`${apyWindow}::bigint`)
  const { past, now } = await readWithCurrent(context, {
    query,
    deployments,
    includeCurrent,
    readPast: (limit) => {
      const selection = { query, deployments, limit, minimumAge: LEAST_APY_WINDOW }
      return selectSeries<GrowthRow>(context, selection, facts)
    },
    readNow: (live) => readGrowthNow(context, { live, facts, apyWindow }),
  })
  const rates = await neverUpdatedRates(
    context,
    inOrder<PastGrowth | Growth>(query, { past, now })
      .slice(0, query.pageSize)
      .filter(({ endRate }) => endRate === null),
  )
  return pageOf(past, { now, rates }, () =>
    toPage(context, { query, apyWindow }, { past, now, rates }),
  )
}

type Read = PastAndNow<PastGrowth, Growth> & { rates: Map<string, RowRate> }

const pageOf = memoizeByRows<Read['past'], Omit<Read, 'past'>, VaultApyPage>()

function toPage(
  context: EarnContext,
  { query, apyWindow }: { query: SeriesQuery; apyWindow: number },
  { past, now, rates }: Read,
): VaultApyPage {
  const { interval } = query
  const found = inOrder(query, { past: past.map(toGrowth), now })
  const { vaultApys, nextPageToken } = pageOfRows(context, query, {
    name: 'vaultApys',
    rows: found,
    place: seriesCursor,
  })
  const { readWindows, growthOf } = growthNow(vaultApys, apyWindow)
  return {
    readWindows,
    vaultApys: vaultApys.flatMap(
      (growth) =>
        toVaultApy({ growth, interval, read: rates.get(deploymentKey(growth)), growthOf }) ?? [],
    ),
    nextPageToken,
  }
}

async function readGrowthNow(
  context: EarnContext,
  { live, facts, apyWindow }: { live: LiveDeployment[]; facts: SeriesFacts; apyWindow: number },
): Promise<Growth[]> {
  const wanted = live.map(({ chainId, vault, state }) => ({
    chainId,
    vault,
    at: state.blockTimestamp,
  }))
  const minimumAge = LEAST_APY_WINDOW
  const name = `growth now over ${apyWindow}`
  const rows = await selectAtTimes<GrowthRow>(context, { name, wanted, minimumAge }, facts)
  const reads = new Map(live.map((entry) => [deploymentKey(entry), entry]))
  return rows.flatMap((row) => {
    const read = reads.get(deploymentKey(row))
    if (!read) return []
    const { stale, asOf } = read
    const rate = read.state.exchangeRate
    const growth = toGrowth(row)
    // A rate that was never updated is still the first one.
    const startRate = growth.startRate ?? rate
    return [{ ...growth, startRate, endRate: rate, endBlock: null, isCurrent: true, stale, asOf }]
  })
}

type PastGrowth = SeriesPlace & GrowthRow

function toGrowth({ at, windowSeconds, startRate, endRate, ...row }: PastGrowth): Growth {
  return {
    chainId: row.chainId,
    vault: row.vault,
    startBlock: row.startBlock,
    endBlock: row.endBlock,
    timestamp: Number(at),
    windowSeconds: Number(windowSeconds),
    startRate: startRate === null ? null : BigInt(startRate),
    endRate: endRate === null ? null : BigInt(endRate),
    isCurrent: false,
    ...INDEXED,
  }
}

type Described = {
  growth: Growth
  interval: number
  /** In place of rates that were never updated, if it is known. */
  read: RowRate | undefined
  growthOf: GrowthOf
}

function toVaultApy({ growth: of, interval, read, growthOf }: Described): VaultApy | null {
  const { vault, ...growth } = of
  const { timestamp, windowSeconds } = growth
  const { stale, asOf } = growth.endRate === null && read ? read : growth
  const startRate = growth.startRate ?? read?.rate
  const endRate = growth.endRate ?? read?.rate
  if (startRate === undefined || endRate === undefined) return null
  return {
    ...growth,
    vaultAddress: vault,
    interval,
    startTime: timestamp - windowSeconds,
    startRate,
    endRate,
    apy: apy({ startRate, endRate, windowSeconds }),
    stale,
    asOf,
    now: growth.isCurrent ? (context) => growthOf(context, of) : null,
  }
}
