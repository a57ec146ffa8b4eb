import { type components, listApiUsage } from '@causeway/sdk'
import { readAll } from '../api/readAll.ts'
import { useApi } from '../api/useApi.ts'
import type { Point } from '../components/point.ts'

type Usage = components['schemas']['ApiUsage']
type Quantity = 'requests' | 'points' | 'refused' | 'invalid' | 'failed'

const PERIODS = { day: 24 * 3_600, month: 30 * 86_400 } as const
export type Period = keyof typeof PERIODS

const MINUTE_MS = 60_000

/** The requests of one key, or of all keys, in the period, by hour or by day. */
export function useUsage(period: Period, publicId: string | null) {
  const interval = period === 'day' ? 3_600 : 86_400
  return useApi(
    async (connection, options) => {
      const stepMs = interval * 1_000
      const end = Math.ceil(Date.now() / stepMs) * stepMs
      const start = end - PERIODS[period] * 1_000
      const { rows, isCut } = await readAll(
        listApiUsage(
          connection,
          {
            startTime: new Date(start),
            endTime: new Date(end),
            interval,
            pageSize: 100,
            ...(publicId ? { filter: { publicId } } : {}),
          },
          options,
        ),
        'apiUsage',
      )
      const times = Array.from(
        { length: (end - start) / stepMs },
        (_, step) => start + step * stepMs,
      )
      return {
        isCut,
        sumOf: (name: Quantity) => rows.reduce((sum, row) => sum + row[name], 0),
        pointsOf: (name: Quantity): Point[] =>
          times.map((time) => ({ time: new Date(time), value: sumAt(rows, time, name) })),
      }
    },
    { key: ['usage', period, publicId], every: MINUTE_MS },
  )
}

function sumAt(rows: readonly Usage[], time: number, name: Quantity): number {
  return rows
    .filter(({ startTime }) => startTime.getTime() === time)
    .reduce((sum, row) => sum + row[name], 0)
}
