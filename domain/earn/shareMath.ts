/** How the contracts count: everything is floored, in base units; fees are rounded up by them. */

const BPS = 10_000n

/** Shares for assets, at a rate in asset units per whole share. */
export function sharesFor(assets: bigint, { rate, decimals }: ShareRate): bigint {
  return rate === 0n ? 0n : (assets * 10n ** BigInt(decimals)) / rate
}

/** Assets for shares, at a rate in asset units per whole share. */
export function assetsFor(shares: bigint, { rate, decimals }: ShareRate): bigint {
  return (shares * rate) / 10n ** BigInt(decimals)
}

/** `decimals` are the vault's. */
export type ShareRate = { rate: bigint; decimals: number }

/** The least of an amount that is taken, when so many hundredths of a percent may be lost. */
export function lessSlippage(amount: bigint, slippageBps: number): bigint {
  return (amount * (BPS - BigInt(slippageBps))) / BPS
}

/** A rate in basis points as percent, with four decimals: `"0.1000"` for 10. */
export function percentage(bps: bigint): string {
  return `${bps / 100n}.${String(bps % 100n).padStart(2, '0')}00`
}
