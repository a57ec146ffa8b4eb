import { type components, listTransitStats } from '@causeway/sdk'
import { formatUnits } from 'viem'
import { readAll } from '../api/readAll.ts'
import { type TokenMap, tokenOf } from '../api/tokens.ts'
import { useApi } from '../api/useApi.ts'
import type { Point } from '../components/point.ts'

type Stats = components['schemas']['TransitStats']
export type RouteUnderWay = Stats & { tokens: TokenMap }

const HOUR_MS = 3_600_000
const HOURS = 24
const MINUTE_MS = 60_000

/** The sums of one day, by hour and by route. The hour that has begun is not in them. */
export function useTransitDay() {
  const endTime = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS)
  const startTime = new Date(endTime.getTime() - HOURS * HOUR_MS)
  return useApi(
    async (connection, options) => {
      const period = { startTime, endTime, pageSize: 100 }
      const [byHour, byRoute] = await Promise.all([
        readAll(
          listTransitStats(connection, { ...period, interval: 3_600 }, options),
          'transitStats',
        ),
        readAll(listTransitStats(connection, period, options), 'transitStats'),
      ])
      return {
        orders: byEachHour(startTime, byHour.rows, ({ orderCount }) => orderCount),
        volume: byEachHour(startTime, byHour.rows, (row) => volumeOf(row, byHour.tokens)),
        isCut: byHour.isCut || byRoute.isCut,
        routes: byRoute.rows.map((row): RouteUnderWay => ({ ...row, tokens: byRoute.tokens })),
      }
    },
    { key: ['transit day', endTime.getTime()], every: MINUTE_MS },
  )
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
