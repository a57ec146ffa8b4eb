import { expect, test } from 'vitest'
import { queuePayout } from './queuePayout.ts'

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
