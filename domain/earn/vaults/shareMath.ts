import { wholeUnits } from '../../token/wholeUnits.ts'

/** The contracts' arithmetic, in base units: everything is floored, but fees are rounded up. */

const BPS = 10_000n

/** Shares for assets, at a rate in asset units per whole share. */
export function sharesFor(assets: bigint, { rate, decimals }: ShareRate): bigint {
  return rate === 0n ? 0n : (assets * 10n ** BigInt(decimals)) / rate
}

/** Assets for shares, at a rate in asset units per whole share. */
export function assetsFor(shares: bigint, { rate, decimals }: ShareRate): bigint {
  return (shares * rate) / 10n ** BigInt(decimals)
}

/** `decimals` are those of the vault's shares. */
export type ShareRate = { rate: bigint; decimals: number }

/**
 * The value of an amount of an asset in the base. The price is that of a whole unit, in the decimals of
 * the asset: the form of rate providers and accountants.
 */
export function inBase(amount: bigint, { price, assetDecimals, baseDecimals }: BasePrice): bigint {
  return (amount * price * 10n ** BigInt(baseDecimals)) / 10n ** BigInt(2 * assetDecimals)
}

export type BasePrice = { price: bigint; assetDecimals: number; baseDecimals: number }

/** The least acceptable part of an amount, if `slippageBps` basis points of it may be lost. */
export function lessSlippage(amount: bigint, slippageBps: number): bigint {
  return (amount * (BPS - BigInt(slippageBps))) / BPS
}

/** A quotient, rounded up. */
export function ceilDiv(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator
}

/** A rate in basis points as a percentage with four decimals: `"0.1000"` for 10. */
export function percentage(bps: bigint): string {
  return wholeUnits(bps * 100n, 4)
}

/** A part of a whole (not 0) as a percentage with four decimals, rounded half up: `"12.3400"`. */
export function percentageOf(part: bigint, whole: bigint): string {
  return wholeUnits((2n * 1_000_000n * part + whole) / (2n * whole), 4)
}
