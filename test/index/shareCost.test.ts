import { expect, test } from 'vitest'
import { NOTHING_HELD, withoutShares, withShares } from '../../src/lib/shareCost.ts'

const RATE = { rate: 1_200_000n, openingRate: 1_000_000n }

test('default: average cost, rounded down when a part leaves', () => {
  const bought = withShares(NOTHING_HELD, 3n, { rate: 1_000_001n, openingRate: 1_000_000n })
  expect(bought).toMatchObject({ balance: 3n, cost: 3_000_003n, realised: 0n, isPriced: true })
  const sold = withoutShares({ ...bought, cost: 3_000_004n }, 1n, RATE)
  expect(sold).toMatchObject({ balance: 2n, cost: 2_000_003n, realised: 1_200_000n - 1_000_001n })
})

test('behavior: the last shares take the whole cost', () => {
  const held = withShares(NOTHING_HELD, 7n, RATE)
  expect(withoutShares({ ...held, cost: 8_400_005n }, 7n, RATE)).toMatchObject({
    balance: 0n,
    cost: 0n,
    realised: -5n,
  })
})

test('behavior: what came before the first update waits, and is worth the opening rate', () => {
  const early = withoutShares(withShares(NOTHING_HELD, 10n, null), 4n, null)
  expect(early).toMatchObject({ cost: 6n, realised: 0n, isPriced: false })
  expect(withShares(early, 1n, RATE)).toMatchObject({
    balance: 7n,
    cost: 6n * 1_000_000n + 1_200_000n,
    isPriced: true,
  })
})

test('behavior: more shares than an account has never stop the index', () => {
  expect(withoutShares(NOTHING_HELD, 5n, RATE)).toMatchObject({ balance: -5n, cost: 0n })
})
