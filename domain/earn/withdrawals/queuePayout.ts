import { assetsFor, ceilDiv } from '../vaults/shareMath.ts'

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
 * part. Null where the fee takes all of the shares: then they are refunded. 0 where the rest is worth less
 * than one base unit: then the queue reverts, and pays no request behind this one.
 */
export function queuePayout(shares: bigint, terms: QueueTerms): bigint | null {
  const fee = queueFee(shares, terms)
  if (fee >= shares) return null
  return assetsFor(shares - fee, { rate: terms.rateInQuote, decimals: terms.decimals })
}

/** The queue's fee for a request, in shares. */
export function queueFee(shares: bigint, terms: QueueTerms): bigint {
  return ceilDiv(shares * terms.fee.bps, BPS) + flatFee(terms)
}

/** The fewest shares for which a queue pays at least so many base units; null where a fee of 100 % takes all. */
export function leastPaidShares(terms: QueueTerms, assets = 1n): bigint | null {
  return terms.fee.bps < BPS ? sharesThatLeave(netWorth(assets, terms), terms) : null
}

/**
 * The shares for which a queue neither refunds, because its fee takes all, nor pays one base unit: it reverts. Null if there
 * are none.
 */
export function unpaidShares(terms: QueueTerms): { from: bigint; below: bigint } | null {
  if (terms.fee.bps >= BPS) return null
  const from = sharesThatLeave(1n, terms)
  const below = sharesThatLeave(netWorth(1n, terms), terms)
  return from < below ? { from, below } : null
}

/** The fewest shares of which at least `net` are left after the fee, whose rate is below 100 %. */
function sharesThatLeave(net: bigint, terms: QueueTerms): bigint {
  return ceilDiv((net + flatFee(terms)) * BPS, BPS - terms.fee.bps)
}

/** The fewest shares that are worth so many base units of the asset. */
function netWorth(assets: bigint, terms: QueueTerms): bigint {
  return ceilDiv(assets * oneShare(terms), terms.rateInQuote)
}

function flatFee(terms: QueueTerms): bigint {
  return ceilDiv(terms.fee.flat * oneShare(terms), terms.rateInQuote)
}

function oneShare({ decimals }: QueueTerms): bigint {
  return 10n ** BigInt(decimals)
}
