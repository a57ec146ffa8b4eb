import { describe, expect, test } from 'vitest'
import { estimateLatencyMs } from './routeLatencies.ts'

const orders = (...all: [offerAmount: bigint, seconds: number][]) =>
  all.map(([offerAmount, seconds]) => ({ offerAmount, seconds }))

describe('estimateLatencyMs', () => {
  test('default: the median', () => {
    expect(estimateLatencyMs(orders([1n, 30], [1n, 10], [1n, 20]))).toBe(20_000)
    expect(estimateLatencyMs(orders([1n, 30], [1n, 10]))).toBe(20_000)
    expect(estimateLatencyMs(orders([1n, 12], [1n, 13]))).toBe(12_500)
  })

  test('behavior: five of a similar size count alone, four do not', () => {
    const large = orders([100n, 90], [100n, 90], [100n, 90], [100n, 90], [100n, 90], [100n, 90])
    const four = orders([5n, 1], [10n, 2], [20n, 3], [12n, 4])
    expect(estimateLatencyMs([...large, ...four], 10n)).toBe(90_000)
    expect(estimateLatencyMs([...large, ...four, ...orders([9n, 5])], 10n)).toBe(3_000)
    expect(estimateLatencyMs([...large, ...four, ...orders([4n, 5])], 10n)).toBe(90_000)
    expect(estimateLatencyMs([...large, ...four, ...orders([21n, 5])], 10n)).toBe(90_000)
  })

  test('behavior: without any order there is no estimate', () => {
    expect(estimateLatencyMs([])).toBeNull()
    expect(estimateLatencyMs([], 10n)).toBeNull()
  })

  test('behavior: clocks that disagree make no negative time', () => {
    expect(estimateLatencyMs(orders([1n, -3]))).toBe(0)
  })
})
