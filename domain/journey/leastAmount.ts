import { ceilDiv } from '../earn/vaults/shareMath.ts'

/** The rounds in which the amount is found. */
const MOST_ROUNDS = 8

/**
 * The amount of which at least `net` (above 0) is left after its fee; null if none is found. A flat fee takes one round,
 * and one in proportion to the amount two. Of other fees the amount may be a little more than the least.
 */
export async function leastAmount(
  net: bigint,
  feeOf: (amount: bigint) => Promise<bigint | null>,
): Promise<bigint | null> {
  let amount = net
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const fee = await feeOf(amount)
    if (fee === null) return null
    const left = amount - fee
    if (left >= net) return amount
    const flat = net + fee
    amount = round === 0 || left <= 0n ? flat : max(ceilDiv(net * amount, left), amount + 1n)
  }
  return null
}

const max = (one: bigint, other: bigint) => (one > other ? one : other)
