import type { Sql } from 'postgres'
import { memoizeByRows } from '../../cache/memoizeByRows.ts'
import type { EarnContext } from '../earnContext.ts'
import { shareDecimalsOf } from '../vaults/baseOf.ts'
import { getDeployment } from '../vaults/deployments.ts'
import { deploymentKey } from '../vaults/neverUpdatedRates.ts'
import { apy } from './apy.ts'
import { type GrowthRow, growthFacts } from './growthFacts.ts'
import { type SeriesFacts, type SeriesPlace, selectAtTimes } from './selectSeries.ts'
import { LEAST_APY_WINDOW } from './seriesParameters.ts'

/** Each in percent; null for a vault younger than the window, and under the conditions of `apy`. */
export type ApyWindows = Record<'day' | 'week' | 'month' | 'sinceLaunch', string | null>

/** The fields that only a current row has. */
export type GrowthNow = {
  windows: ApyWindows
  /** In percent; null also where fees within the window are unknown. */
  grossApy: string | null
}

const DAY = 86_400
const FOREVER = 10 ** 12
const WINDOWS = { day: DAY, week: 7 * DAY, month: 30 * DAY, sinceLaunch: FOREVER }

/** Fees per share are added up in this part of a base unit. */
const SCALE = 10n ** 36n

type Grown = Omit<SeriesPlace, 'at'> & {
  timestamp: number
  endRate: bigint | null
  isCurrent: boolean
}

/** The growth of a current row; null for one that has none. */
export type GrowthOf = (context: EarnContext, row: Grown) => Promise<GrowthNow | null>

type Row = SeriesPlace & WindowRow
type WindowRow = GrowthRow & {
  /** In `SCALE` parts of a base unit per base unit of shares, of the row's own window; null in other windows. */
  fees: string | null
  isKnown: boolean | null
}

/**
 * The growth of the current rows of a page over every window. `readWindows` reads its rows once per request; `growthOf`
 * computes the growth of one row. Both throw `INDEX_CATCHING_UP`.
 */
export function growthNow(
  rows: Grown[],
  apyWindow: number,
): { readWindows: (context: EarnContext) => Promise<readonly Row[]>; growthOf: GrowthOf } {
  const current = rows.filter(({ isCurrent }) => isCurrent)
  const windows = [apyWindow, ...Object.values(WINDOWS)]
  const reading = new WeakMap<EarnContext, Promise<readonly Row[]>>()
  const describeOnce = memoizeByRows<readonly Row[], null, Map<string, GrowthNow>>()
  function readWindows(context: EarnContext) {
    const read = reading.get(context) ?? selectWindows(context, current, windows)
    reading.set(context, read)
    return read
  }
  return {
    readWindows,
    async growthOf(context, row) {
      const read = await readWindows(context)
      const growths = describeOnce(read, null, () => describeAll(context, current, read))
      return growths.get(deploymentKey(row)) ?? null
    },
  }
}

/** The rows of each vault are in the order of the windows. */
async function selectWindows(
  context: EarnContext,
  current: Grown[],
  windows: number[],
): Promise<readonly Row[]> {
  if (current.length === 0) return []
  const wanted = current.flatMap(({ chainId, vault, timestamp: at }) =>
    windows.map(() => ({ chainId, vault, at })),
  )
  const name = `growth over ${windows}`
  const selection = { name, wanted, minimumAge: LEAST_APY_WINDOW }
  return selectAtTimes<WindowRow>(context, selection, windowFacts(windows))
}

function describeAll(
  context: EarnContext,
  current: Grown[],
  read: readonly Row[],
): Map<string, GrowthNow> {
  const byPlace = Map.groupBy(read, deploymentKey)
  return new Map(
    current.flatMap(({ endRate, ...place }) => {
      const [own, ...others] = byPlace.get(deploymentKey(place)) ?? []
      if (!own || endRate === null) return []
      const deployment = getDeployment(context.addressBook, place.chainId, place.vault)
      const one = 10n ** BigInt(shareDecimalsOf(context, deployment))
      return [[deploymentKey(place), describe({ own, others, endRate, one })]]
    }),
  )
}

function windowFacts(windows: number[]): SeriesFacts {
  return (sql) => {
    const turn = sql`(l.position - 1) % ${windows.length}::bigint`
    const { columns, joins } = growthFacts(
      (inner: Sql) => inner`(${windows}::bigint[])[(1 + ${turn})::integer]`,
    )(sql)
    return {
      columns: sql`${columns}, f.fees, f.is_known as "isKnown"`,
      joins: sql`${joins}
        left join lateral (
          select coalesce(bool_and(r.fees_accrued is not null), true) as is_known,
            coalesce(sum(div(r.fees_accrued * ${String(SCALE)}::numeric, nullif(r.supply, 0))), 0) as fees
          from read.exchange_rate r
          where ${turn} = 0 and r.chain_id = l.chain_id and r.vault = l.vault and r.is_in_use
            and r.block_timestamp > h.start and r.block_timestamp <= l.at
        ) f on ${turn} = 0`,
    }
  }
}

type Windows = { own: Row; others: Row[]; endRate: bigint; one: bigint }

function describe({ own, others, endRate, one }: Windows): GrowthNow {
  const growth = (row: Row | undefined, window: number) => {
    if (!row || (window !== FOREVER && row.windowSeconds < window)) return null
    return apy({
      startRate: startOf(row, endRate),
      endRate,
      windowSeconds: Number(row.windowSeconds),
    })
  }
  const [day, week, month, sinceLaunch] = others
  return {
    windows: {
      day: growth(day, WINDOWS.day),
      week: growth(week, WINDOWS.week),
      month: growth(month, WINDOWS.month),
      sinceLaunch: growth(sinceLaunch, WINDOWS.sinceLaunch),
    },
    grossApy:
      own.fees === null || own.isKnown !== true
        ? null
        : apy({
            startRate: startOf(own, endRate) * SCALE,
            endRate: endRate * SCALE + BigInt(own.fees) * one,
            windowSeconds: Number(own.windowSeconds),
          }),
  }
}

/** A rate that was never updated is still the first one. */
function startOf({ startRate }: Row, endRate: bigint): bigint {
  return startRate === null ? endRate : BigInt(startRate)
}
