import type { UseQueryResult } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import type { CausewayError } from '../error/causewayError.ts'
import { joinQueries } from './joinQueries.ts'

type Given = {
  data?: number
  error?: object
  isPlaceholderData?: boolean
  dataUpdatedAt?: number
}

function query({ data, error, isPlaceholderData = false, dataUpdatedAt = 0 }: Given) {
  const refetch = vi.fn(async () => null)
  const [isPending, isError] = [data === undefined && !error, error !== undefined]
  const states = { isPending, isError, isPlaceholderData }
  const result = { data, error: error ?? null, ...states, dataUpdatedAt, refetch }
  // The other fields of a result are not asked for.
  return result as unknown as UseQueryResult<number, CausewayError>
}

const sum = ({ a, b }: { a: number; b: number }) => a + b

test('default: their data together, as old as the oldest', () => {
  const joined = joinQueries(
    { a: query({ data: 1, dataUpdatedAt: 9 }), b: query({ data: 2, dataUpdatedAt: 5 }) },
    sum,
  )
  expect(joined).toMatchObject({ data: 3, error: null, isPending: false, dataUpdatedAt: 5 })
})

test('behavior: no data while one of them has none', () => {
  const joined = joinQueries({ a: query({ data: 1 }), b: query({}) }, sum)
  expect(joined).toMatchObject({ data: undefined, isPending: true, isError: false })
})

test('behavior: placeholder data of one are placeholder data of all', () => {
  const [a, b] = [query({ data: 1 }), query({ data: 2, isPlaceholderData: true })]
  expect(joinQueries({ a, b: a }, sum).isPlaceholderData).toBe(false)
  expect(joinQueries({ a, b }, sum).isPlaceholderData).toBe(true)
})

test('error: a failure of one is a failure of all, beside the data that were read before', async () => {
  const error = { reason: 'TIMED_OUT' }
  const [a, b] = [query({ data: 1 }), query({ data: 2, error })]
  const joined = joinQueries({ a, b }, sum)
  expect(joined).toMatchObject({ data: 3, isError: true, error })
  await joined.refetch()
  expect([a.refetch, b.refetch].map((refetch) => vi.mocked(refetch).mock.calls.length)).toEqual([
    1, 1,
  ])
})
