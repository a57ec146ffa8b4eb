import type { components } from '@causeway/sdk'
import { joinQueries, transitStatsOptions, useAll } from '@causeway/sdk/react'
import { keepPreviousData } from '@tanstack/react-query'
import { formatUnits } from 'viem'
import { type TokenMap, tokenOf, withTokens } from '../api/tokens.ts'
import type { Point } from '../components/Chart.tsx'

type Stats = components['schemas']['TransitStats']
export type RouteUnderWay = Stats & { tokens: TokenMap }

const HOUR_MS = 3_600_000
const HOURS = 24
const MINUTE_MS = 60_000

/** The sums of one day, by hour and by route. The hour that has begun is not in them. */
export function useTransitDay() {
  const endTime = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS)
  const startTime = new Date(endTime.getTime() - HOURS * HOUR_MS)
  const period = { startTime, endTime }
  const settings = { refetchInterval: MINUTE_MS, placeholderData: keepPreviousData }
  const queries = {
    byHour: useAll(transitStatsOptions, { ...period, interval: 3_600 }, settings),
    byRoute: useAll(transitStatsOptions, period, settings),
  }
  return joinQueries(queries, ({ byHour, byRoute }) => ({
    orders: byEachHour(startTime, byHour.rows, ({ orderCount }) => orderCount),
    volume: byEachHour(startTime, byHour.rows, (row) => volumeOf(row, byHour.tokenMetadata)),
    hasMore: byHour.hasMore || byRoute.hasMore,
    routes: withTokens(byRoute).rows,
  }))
}

function byEachHour(
  startTime: Date,
  rows: readonly Stats[],
  quantityOf: (row: Stats) => number,
): Point[] {
  return Array.from({ length: HOURS }, (_, hour) => {
    const time = new Date(startTime.getTime() + hour * HOUR_MS)
    const own = rows.filter((row) => row.startTime.getTime() === time.getTime())
    return { time, value: own.reduce((sum, row) => sum + quantityOf(row), 0) }
  })
}

/** In whole tokens: the tokens of Transit are stablecoins, so they are counted one to one. */
function volumeOf({ sourceChainId, offerAsset, offerVolume }: Stats, tokens: TokenMap): number {
  const token = tokenOf(tokens, sourceChainId, offerAsset)
  return token ? Number(formatUnits(offerVolume, token.decimals)) : 0
}
