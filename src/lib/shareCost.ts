/** The rate of a vault: in use now, and before its first update. Null before that update. */
export type VaultRate = { rate: bigint; openingRate: bigint } | null

/**
 * Shares of an account with their cost. A cost is shares times rate: base units of the base, times base
 * units per whole share. Until the first update of the rate it is in shares, since only that update
 * shows the rate before it.
 */
export type Holding = {
  balance: bigint
  cost: bigint
  realised: bigint
  isPriced: boolean
  hasTransferredShares: boolean
}

export const NOTHING_HELD: Holding = {
  balance: 0n,
  cost: 0n,
  realised: 0n,
  isPriced: false,
  hasTransferredShares: false,
}

/** The holding in the unit of costs that holds now. */
export function priced(holding: Holding, rate: VaultRate): Holding {
  if (rate === null || holding.isPriced) return holding
  return {
    ...holding,
    cost: holding.cost * rate.openingRate,
    realised: holding.realised * rate.openingRate,
    isPriced: true,
  }
}

/** The worth of shares, in the unit of costs that holds now. */
export function worth(shares: bigint, rate: VaultRate): bigint {
  return shares * (rate?.rate ?? 1n)
}

/** A cost that was kept beside the balances, in the unit that holds now. */
export function pricedCost(cost: bigint, isPriced: boolean, rate: VaultRate): bigint {
  return rate === null || isPriced ? cost : cost * rate.openingRate
}

/** The cost that leaves with some of the shares: their part of the whole cost, rounded down. */
export function leavingCost({ balance, cost }: Holding, shares: bigint): bigint {
  return shares >= balance ? cost : (cost * shares) / balance
}

/** Shares that come by a transfer cost what they are worth. */
export function withShares(before: Holding, shares: bigint, rate: VaultRate): Holding {
  const holding = priced(before, rate)
  return {
    ...holding,
    balance: holding.balance + shares,
    cost: holding.cost + worth(shares, rate),
    hasTransferredShares: true,
  }
}

/** Shares that leave have earned what they are worth, less their cost. */
export function withoutShares(before: Holding, shares: bigint, rate: VaultRate): Holding {
  const holding = priced(before, rate)
  const cost = leavingCost(holding, shares)
  return {
    ...holding,
    balance: holding.balance - shares,
    cost: holding.cost - cost,
    realised: holding.realised + worth(shares, rate) - cost,
  }
}
