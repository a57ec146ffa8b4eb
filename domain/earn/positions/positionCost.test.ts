import { expect, test } from 'vitest'
import { positionCost } from './positionCost.ts'

const TERMS = { openingRate: 1_250_000n, decimals: 6 }
const ROW = { cost: '2600000000007', realised: '-1500001', isPriced: true }

test('default: shares times rate, as base units, toward 0', () => {
  expect(positionCost({ ...ROW, hasTransferredShares: true }, TERMS)).toEqual({
    costBasis: 2_600_000n,
    realisedEarnings: -1n,
    hasTransferredShares: true,
  })
})

test('behavior: what waits for a rate is worth the opening rate', () => {
  const waiting = { cost: '4', realised: '-3', isPriced: false, hasTransferredShares: false }
  expect(positionCost(waiting, TERMS)).toEqual({
    costBasis: 5n,
    realisedEarnings: -3n,
    hasTransferredShares: false,
  })
})

test('behavior: an account that never had shares has no cost', () => {
  expect(positionCost(null, TERMS)).toEqual({
    costBasis: 0n,
    realisedEarnings: 0n,
    hasTransferredShares: false,
  })
})

test('behavior: a served build that does not keep costs', () => {
  const lacking = { cost: null, realised: null, isPriced: null, hasTransferredShares: null }
  expect(positionCost(lacking, TERMS)).toBeNull()
})
