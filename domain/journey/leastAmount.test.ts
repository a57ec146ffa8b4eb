import { describe, expect, test } from 'vitest'
import { leastAmount } from './leastAmount.ts'

const NET = 123_456_789_012_345_678n
const bps = (rate: bigint) => async (amount: bigint) => (amount * rate + 9_999n) / 10_000n

describe('leastAmount', () => {
  test.each([0n, 1n, 1_000_000n])('default: a flat fee of %i', async (fee) => {
    expect(await leastAmount(NET, async () => fee)).toBe(NET + fee)
  })

  test.each([1n, 10n, 100n, 1_000n, 5_000n])('default: a fee of %i bps', async (rate) => {
    const amount = (await leastAmount(NET, bps(rate))) ?? 0n
    const left = async (given: bigint) => given - (await bps(rate)(given))
    expect(await left(amount)).toBeGreaterThanOrEqual(NET)
    expect(await left(amount - 3n)).toBeLessThan(NET)
  })

  test('behavior: a fee with a least and a most', async () => {
    const fee = async (amount: bigint) => {
      const inProportion = amount / 100n
      return inProportion > 5_000n ? 5_000n : inProportion < 50n ? 50n : inProportion
    }
    for (const net of [1n, 1_000n, 100_000n, 1_000_000n]) {
      const amount = (await leastAmount(net, fee)) ?? 0n
      expect(amount - (await fee(amount))).toBeGreaterThanOrEqual(net)
    }
  })

  test('error: a fee that takes all, or is refused', async () => {
    expect(await leastAmount(NET, async (amount) => amount)).toBe(null)
    expect(await leastAmount(NET, async () => null)).toBe(null)
  })
})
