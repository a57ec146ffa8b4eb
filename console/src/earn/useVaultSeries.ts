import { joinQueries, useAll, vaultApysOptions, vaultTvlsOptions } from '@causeway/sdk/react'
import { keepPreviousData } from '@tanstack/react-query'
import type { Point } from '../components/Chart.tsx'
import type { VaultPlace } from './deploymentsOf.ts'

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
  const asked = useSeries(place, range)
  // Weeks are too coarse for a vault that is younger than a year.
  const isYoung = range === 'All' && asked.data && asked.data.tvl.length < YEAR / WEEK
  return useSeries(place, isYoung ? '1 y' : range)
}

function useSeries(place: VaultPlace, range: Range) {
  const params = { filter: { ...place }, ...RANGES[range] }
  const settings = { placeholderData: keepPreviousData }
  const queries = {
    tvls: useAll(vaultTvlsOptions, params, settings),
    apys: useAll(vaultApysOptions, params, settings),
  }
  return joinQueries(queries, ({ tvls, apys }) => ({
    asset: tvls.rows[0]?.tvlAsset ?? '',
    tvl: tvls.rows.map(({ timestamp, tvl }) => point(timestamp, tvl)),
    apy: apys.rows.flatMap(({ timestamp, apy }) => (apy === null ? [] : [point(timestamp, apy)])),
  }))
}

function point(time: Date, value: string): Point {
  return { time, value: Number(value) }
}
