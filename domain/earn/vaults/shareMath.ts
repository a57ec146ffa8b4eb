import { wholeUnits } from '../../token/wholeUnits.ts'

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

/**
 * What an amount of an asset is worth in a base. The price is of a whole unit, in the decimals of the
 * asset, as rate providers have it and accountants divide by it.
 */
export function inBase(amount: bigint, { price, assetDecimals, baseDecimals }: BasePrice): bigint {
  return (amount * price * 10n ** BigInt(baseDecimals)) / 10n ** BigInt(2 * assetDecimals)
}

export type BasePrice = { price: bigint; assetDecimals: number; baseDecimals: number }

/** The least of an amount that is taken, when so many hundredths of a percent may be lost. */
export function lessSlippage(amount: bigint, slippageBps: number): bigint {
  return (amount * (BPS - BigInt(slippageBps))) / BPS
}

/** A rate in basis points as percent, with four decimals: `"0.1000"` for 10. */
export function percentage(bps: bigint): string {
  return wholeUnits(bps * 100n, 4)
}

/** What a part is of a whole that is not 0, in percent, with four decimals, half up: `"12.3400"`. */
export function percentageOf(part: bigint, whole: bigint): string {
  return wholeUnits((2n * 1_000_000n * part + whole) / (2n * whole), 4)
}
