import { wholeUnits } from '../../token/wholeUnits.ts'

const DECIMALS = 6
const ONE = 10n ** BigInt(DECIMALS)

/**
 * The part of each value of their sum, with six decimals; they sum to exactly 1. By largest remainder:
 * each is floored, and what is left of 1 goes to those that lost most, the first of equals first. Where
 * nothing is worth anything, all weigh alike.
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
