import { assetsFor } from '../vaults/shareMath.ts'

const BPS = 10_000n

/** The terms on which a queue pays an asset for shares. */
export type QueueTerms = {
  /** The decimals of the shares. */
  decimals: number
  /** Base units of the asset per whole share; more than 0. */
  rateInQuote: bigint
  /** The flat part is in base units of the asset. */
  fee: { bps: bigint; flat: bigint }
}

/**
 * Base units of the asset that a queue pays for shares, after its fee, which its module rounds up in each
 * part. Null where the fee takes all of the shares: then they are refunded.
 */
export function queuePayout(shares: bigint, { decimals, rateInQuote, fee }: QueueTerms) {
  const feeShares =
    ceilDiv(shares * fee.bps, BPS) + ceilDiv(fee.flat * 10n ** BigInt(decimals), rateInQuote)
  if (feeShares >= shares) return null
  return assetsFor(shares - feeShares, { rate: rateInQuote, decimals })
}

function ceilDiv(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator
}
