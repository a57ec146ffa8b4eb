import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  estimateLatencyMs,
  heldShare as heldShareOf,
  p90At,
  percentilesOf,
  promisesOf,
  SAMPLE,
  sampleOf,
  type TrackedOrder,
} from './latencyOf.ts'

const executed = (...all: [offerAmount: bigint, seconds: number][]): TrackedOrder[] =>
  all.map(([offerAmount, seconds]) => ({
    id: '0x',
    offerAmount,
    submittedAt: 100,
    executedAt: 100 + seconds,
  }))

/** Newest first, from times of submission and of execution. */
const orders = (...all: [submittedAt: number, executedAt: number | null][]): TrackedOrder[] =>
  all.map(([submittedAt, executedAt]) => ({ id: '0x', offerAmount: 1n, submittedAt, executedAt }))

describe('estimateLatencyMs', () => {
  test('default: the median', () => {
    expect(estimateLatencyMs(executed([1n, 30], [1n, 10], [1n, 20]))).toBe(20_000)
    expect(estimateLatencyMs(executed([1n, 30], [1n, 10]))).toBe(20_000)
    expect(estimateLatencyMs(executed([1n, 12], [1n, 13]))).toBe(12_500)
  })

  test('behavior: five of a similar size count alone, four do not', () => {
    const large = executed([100n, 90], [100n, 90], [100n, 90], [100n, 90], [100n, 90], [100n, 90])
    const four = executed([5n, 1], [10n, 2], [20n, 3], [12n, 4])
    expect(estimateLatencyMs([...large, ...four], 10n)).toBe(90_000)
    expect(estimateLatencyMs([...large, ...four, ...executed([9n, 5])], 10n)).toBe(3_000)
    expect(estimateLatencyMs([...large, ...four, ...executed([4n, 5])], 10n)).toBe(90_000)
    expect(estimateLatencyMs([...large, ...four, ...executed([21n, 5])], 10n)).toBe(90_000)
  })

  test('behavior: without any order there is no estimate', () => {
    expect(estimateLatencyMs([])).toBeNull()
    expect(estimateLatencyMs([], 10n)).toBeNull()
  })

  test('behavior: clocks that disagree make no negative time', () => {
    expect(estimateLatencyMs(executed([1n, -3]))).toBe(0)
  })
})

describe('percentilesOf', () => {
  test('default: between two orders in proportion, with the size and the span of the sample', () => {
    const sample = orders([130, 141], [120, 130], [110, 119], [100, 108])
    expect(percentilesOf(sample)).toEqual({
      p50Ms: 9_500,
      p90Ms: 10_700,
      p99Ms: 10_970,
      sampleSize: 4,
      windowSeconds: 30,
    })
  })

  test('behavior: the newest 500 that are wholly executed', () => {
    const all = Array.from({ length: 700 }, (_, index): [number, number | null] => {
      const submittedAt = 10_000 - index
      return [submittedAt, index < 100 ? null : submittedAt + index]
    })
    const sample = sampleOf(orders(...all))
    expect(sample.map(({ submittedAt }) => submittedAt)).toEqual(
      Array.from({ length: SAMPLE }, (_, index) => 9_900 - index),
    )
    expect(percentilesOf([])).toBeNull()
  })
})

describe('heldShare', () => {
  const heldShare = (all: TrackedOrder[], now: number) =>
    heldShareOf(all, promisesOf(all, SAMPLE), now)

  test('default: of six judged, four arrived by the p90 of their submission', () => {
    const history = orders(
      [2_000, null], // Not late yet.
      [1_900, null], // Late, and still open.
      [1_800, 1_820], // Late.
      [1_700, 1_710],
      [1_600, 1_605],
      [1_500, 1_510],
      [1_400, 1_410],
      [1_000, 1_010], // Nothing was executed before it.
    )
    expect(heldShare(history, 2_009)).toBeCloseTo(4 / 6)
    // By then the newest is late too.
    expect(heldShare(history, 2_019)).toBeCloseTo(4 / 7)
    expect(heldShare(history.slice(4), 2_009)).toBeNull()
  })

  test('behavior: executions after a submission do not count for its prediction', () => {
    const late = orders([1_004, 1_008], [1_003, 1_007], [1_002, 1_006], [1_001, 1_005])
    expect(heldShare([...late, ...orders([1_000, 1_004.5])], 2_000)).toBeNull()
  })

  test('behavior: it is the share by `p90At` of each submission', () => {
    const times = fc.array(
      fc.record({
        gap: fc.integer({ min: 0, max: 5 }),
        seconds: fc.option(fc.integer({ min: -3, max: 60 }), { freq: 8 }),
      }),
      { minLength: 1, maxLength: 1_400, size: 'max' },
    )
    fc.assert(
      fc.property(times, fc.integer({ min: 0, max: 100 }), (drawn, more) => {
        let at = 1_000
        const history = drawn
          .map(({ gap, seconds }): [number, number | null] => {
            at += gap
            return [at, seconds === null ? null : at + seconds]
          })
          .reverse()
        const all = orders(...history)
        const now = at + more
        const judged = all.slice(0, SAMPLE).flatMap(({ submittedAt, executedAt }) => {
          const p90 = p90At(all, submittedAt)
          if (p90 === null) return []
          const latest = submittedAt + p90 / 1_000
          if (executedAt === null) return now > latest ? [false] : []
          return [executedAt <= latest]
        })
        const expected = judged.filter(Boolean).length / judged.length
        expect(heldShare(all, now)).toEqual(judged.length < 5 ? null : expected)
      }),
      { numRuns: 10 },
    )
  })
})
