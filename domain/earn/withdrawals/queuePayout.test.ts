import fc from 'fast-check'
import { expect, test } from 'vitest'
import { leastPaidShares, type QueueTerms, queuePayout, unpaidShares } from './queuePayout.ts'

const FREE = { bps: 0n, flat: 0n }
const terms = { decimals: 6, rateInQuote: 1_100_000n, fee: FREE }

test.each([
  ['at the rate, floored', 3n, terms, 3n],
  ['after a rate, rounded up', 10_001n, { ...terms, fee: { bps: 10n, flat: 0n } }, 10_989n],
  [
    'after a flat fee in the asset',
    2_000_000n,
    { ...terms, fee: { bps: 0n, flat: 110_000n } },
    2_090_000n,
  ],
  ['null where the fee takes all', 100_000n, { ...terms, fee: { bps: 0n, flat: 110_000n } }, null],
])('default: %s', (_, shares, of, expected) => {
  expect(queuePayout(shares, of)).toBe(expected)
})

test('behavior: the least shares are paid, and one less is not', () => {
  const someTerms = fc.record<QueueTerms>({
    decimals: fc.constantFrom(6, 18),
    rateInQuote: fc.bigInt({ min: 1n, max: 10n ** 19n }),
    fee: fc.record({
      bps: fc.bigInt({ min: 0n, max: 9_999n }),
      flat: fc.bigInt({ min: 0n, max: 10n ** 19n }),
    }),
  })
  fc.assert(
    fc.property(someTerms, (of) => {
      const least = leastPaidShares(of) ?? 0n
      expect(queuePayout(least, of) ?? 0n).toBeGreaterThan(0n)
      expect(queuePayout(least - 1n, of) ?? 0n).toBe(0n)
      const unpaid = unpaidShares(of)
      if (!unpaid) {
        expect(queuePayout(least - 1n, of)).toBeNull()
        return
      }
      expect(queuePayout(unpaid.from - 1n, of)).toBeNull()
      for (const shares of [unpaid.from, unpaid.below - 1n])
        expect(queuePayout(shares, of)).toBe(0n)
      expect(unpaid.below).toBe(least)
    }),
  )
  expect(leastPaidShares({ ...terms, fee: { bps: 10_000n, flat: 0n } })).toBeNull()
})
