/** The cost of what an account holds of a vault, as `share_balance` has it. */
export type IndexedCost = {
  cost: string | null
  realised: string | null
  /** Whether the two are shares times rate; else they are shares that wait for the opening rate. */
  isPriced: boolean | null
  hasTransferredShares: boolean | null
}

/** Base units of the base. Null while the served build of the chain does not keep costs. */
export type PositionCost = {
  costBasis: bigint
  realisedEarnings: bigint
  hasTransferredShares: boolean
} | null

const NO_COST = { costBasis: 0n, realisedEarnings: 0n, hasTransferredShares: false }

/** `row` is null for an account that never had shares. */
export function positionCost(
  row: IndexedCost | null,
  { openingRate, decimals }: { openingRate: bigint; decimals: number },
): PositionCost {
  if (row === null) return NO_COST
  const { cost, realised, isPriced, hasTransferredShares } = row
  if (cost === null || realised === null || hasTransferredShares === null) return null
  const inBase = (amount: string) =>
    (BigInt(amount) * (isPriced ? 1n : openingRate)) / 10n ** BigInt(decimals)
  return { costBasis: inBase(cost), realisedEarnings: inBase(realised), hasTransferredShares }
}
