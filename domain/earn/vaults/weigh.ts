import { wholeUnits } from '../../token/wholeUnits.ts'

const DECIMALS = 6
const ONE = 10n ** BigInt(DECIMALS)

/**
 * The weight of each value in their sum, with six decimals; the weights sum to exactly 1. By largest
 * remainder: each weight is floored, and the rest of 1 goes to the weights that lost most, the first of
 * equals first. If all values are 0, the weights are equal.
 */
export function weigh(values: bigint[]): string[] {
  const sum = total(values)
  if (sum === 0n) return values.length === 0 ? [] : weigh(values.map(() => 1n))
  const parts = values.map((value, index) => ({
    index,
    floor: (value * ONE) / sum,
    lost: (value * ONE) % sum,
  }))
  const left = Number(ONE - total(parts.map(({ floor }) => floor)))
  const byLoss = parts.toSorted((a, b) => Number(b.lost - a.lost))
  const raised = new Set(byLoss.slice(0, left).map(({ index }) => index))
  return parts.map(({ index, floor }) =>
    wholeUnits(raised.has(index) ? floor + 1n : floor, DECIMALS),
  )
}

function total(values: bigint[]): bigint {
  return values.reduce((sum, value) => sum + value, 0n)
}
