import type { components } from '@causeway/sdk'
import { apiUsageOptions, useAll } from '@causeway/sdk/react'
import { keepPreviousData } from '@tanstack/react-query'
import type { Point } from '../components/Chart.tsx'

type Usage = components['schemas']['ApiUsage']
type Quantity = 'requests' | 'points' | 'refused' | 'invalid' | 'failed'

const PERIODS = { day: 24 * 3_600, month: 30 * 86_400 } as const
export type Period = keyof typeof PERIODS

const MINUTE_MS = 60_000

/** The requests of one key, or of all keys, in the period, by hour or by day. */
export function useUsage(period: Period, publicId: string | null) {
  const interval = period === 'day' ? 3_600 : 86_400
  const stepMs = interval * 1_000
  const end = Math.ceil(Date.now() / stepMs) * stepMs
  const start = end - PERIODS[period] * 1_000
  const params = {
    startTime: new Date(start),
    endTime: new Date(end),
    interval,
    ...(publicId ? { filter: { publicId } } : {}),
  }
  const times = Array.from({ length: (end - start) / stepMs }, (_, step) => start + step * stepMs)
  return useAll(apiUsageOptions, params, {
    refetchInterval: MINUTE_MS,
    placeholderData: keepPreviousData,
    select: ({ rows, hasMore }) => ({
      hasMore,
      count: rows.length,
      sumOf: (name: Quantity) => rows.reduce((sum, row) => sum + row[name], 0),
      pointsOf: (name: Quantity): Point[] =>
        times.map((time) => ({ time: new Date(time), value: sumAt(rows, time, name) })),
    }),
  })
}

function sumAt(rows: readonly Usage[], time: number, name: Quantity): number {
  return rows
    .filter(({ startTime }) => startTime.getTime() === time)
    .reduce((sum, row) => sum + row[name], 0)
}
