import { beforeEach, describe, expect, test } from 'vitest'
import { type ChainSign, createStallClock } from './stallClock.ts'

describe('createStallClock', () => {
  let seconds: number
  let stalled: ReturnType<typeof createStallClock>
  beforeEach(() => {
    seconds = 0
    stalled = createStallClock(() => seconds * 1_000)
  })

  /** Looks every second, for so long as `signs` says. Returns the second of the first verdict, or null. */
  function watch(until: number, signs: (second: number) => Partial<ChainSign>[], hasBegun = true) {
    for (; seconds <= until; seconds += 1) {
      const chains = signs(seconds).map((sign, index) => ({
        chainId: index + 1,
        isIdle: false,
        isLive: true,
        place: '',
        ...sign,
      }))
      const place = chains.map((chain) => chain.place).join()
      const chainId = stalled({ chains, place, hasBegun })
      if (chainId !== null) return { chainId, second: seconds }
    }
    return null
  }

  test('default: a Ponder that shows nothing hangs, before it is ready too', () => {
    const waiting = { isLive: false, place: 'begin' }
    expect(watch(600, () => [{ isIdle: true }, waiting])).toEqual({ chainId: 2, second: 21 })
  })

  test('behavior: what works, however slowly, does not hang', () => {
    expect(watch(600, (second) => [{ place: String(Math.floor(second / 19)) }])).toBeNull()
  })

  test('behavior: it has two minutes for its start', () => {
    expect(watch(600, () => [{ isLive: false }], false)).toEqual({ chainId: 1, second: 121 })
  })

  test('behavior: at its head it has nothing to do, and its clock begins with its work', () => {
    expect(watch(600, () => [{ isIdle: true }])).toBeNull()
    expect(watch(900, (second) => [{ place: second < 610 ? '' : 'block' }])?.second).toBe(631)
  })

  test('behavior: a chain that stands while another goes on', () => {
    const other = (second: number) => ({ place: String(second) })
    expect(watch(600, (second) => [other(second), {}])).toEqual({ chainId: 2, second: 61 })
  })

  test('behavior: after a start a chain waits for the others, which catch up', () => {
    const other = (second: number) => ({ place: String(second), isLive: false })
    expect(watch(600, (second) => [other(second), { isLive: false }])?.second).toBe(301)
  })
})
