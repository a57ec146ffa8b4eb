import { type CallOptions, type Connection, listVaultApys, listVaultTvls } from '@causeway/sdk'
import { readAll } from '../api/readAll.ts'
import { useApi } from '../api/useApi.ts'
import type { Point } from '../components/point.ts'
import type { VaultPlace } from './useVault.ts'

const DAY = 86_400
const WEEK = 7 * DAY
const YEAR = 365 * DAY

type Span = { lookback: number; interval: number }

/** The times that a chart can show, in seconds. */
export const RANGES = {
  '1 d': { lookback: DAY, interval: 3_600 },
  '7 d': { lookback: WEEK, interval: 6 * 3_600 },
  '30 d': { lookback: 30 * DAY, interval: DAY },
  '1 y': { lookback: YEAR, interval: DAY },
  // The API reads at most ten years back.
  All: { lookback: 10 * YEAR, interval: WEEK },
} as const satisfies Record<string, Span>

export type Range = keyof typeof RANGES

/** TVL and APY of a deployment over a time. */
export function useVaultSeries(place: VaultPlace, range: Range) {
  const { chainId, vaultAddress } = place
  return useApi(
    async (connection, options) => {
      const reader = { connection, place, options }
      const series = await readSeries(reader, RANGES[range])
      // Weeks are too coarse for a vault that is younger than a year.
      const isYoung = range === 'All' && series.tvl.length < YEAR / WEEK
      return isYoung ? readSeries(reader, RANGES['1 y']) : series
    },
    { key: ['vault series', chainId, vaultAddress, range] },
  )
}

type Reader = { connection: Connection; place: VaultPlace; options: CallOptions }

async function readSeries({ connection, place, options }: Reader, span: Span) {
  const params = { filter: { ...place }, pageSize: 100, ...span }
  const [tvls, apys] = await Promise.all([
    readAll(listVaultTvls(connection, params, options), 'vaultTvls'),
    readAll(listVaultApys(connection, params, options), 'vaultApys'),
  ])
  return {
    asset: tvls.rows[0]?.tvlAsset ?? '',
    tvl: tvls.rows.map(({ timestamp, tvl }) => point(timestamp, tvl)),
    apy: apys.rows.flatMap(({ timestamp, apy }) => (apy === null ? [] : [point(timestamp, apy)])),
  }
}

function point(time: Date, value: string): Point {
  return { time, value: Number(value) }
}
