import { zeroAddress } from 'viem'
import { MAX_INTEGRATOR_FEE_BPS, MAX_PROTOCOL_FEE_BPS } from '../../../abis/transitStation.ts'
import type { OrderPricing } from '../priceOrder.ts'
import type { ResolvedRoute } from '../routes/resolvedRoutes.ts'
import type { TransitQuote } from '../terms/quoteTypedData.ts'

/** The values with which the terms of a quote are compared. Times are Unix seconds. */
export type TermBounds = {
  resolved: ResolvedRoute
  pricing: OrderPricing
  now: number
  latestDeadline: number
}

const BPS = 10_000n
const RATE_UNIT = 1_000_000n
/** A quote must pay a half of an execution's present cost. Not all, because gas prices move until it is signed. */
const COST_DIVISOR = 2n

/**
 * Returns why a quote must not be signed, or null. It reads only the signed fields and has its own arithmetic,
 * so that a fault of the pricing does not pass.
 */
export function faultOfTerms(quote: TransitQuote, bounds: TermBounds): string | null {
  const { offerAmount, protocolFee, integratorFee, receiver, integratorFeeReceiver } = quote
  const { route } = bounds.resolved
  const conversionFee = offerAmount * BigInt(route.conversionRateHundredthsBps)
  const leastFee = bounds.pricing.fillCostFee / COST_DIVISOR
  const faults: [isFault: boolean, fault: string][] = [
    [receiver === zeroAddress, 'it has no receiver'],
    [offerAmount <= 0n, 'it offers nothing'],
    [offerAmount < BigInt(route.minOrderSize), "the offer is below the route's least order"],
    [
      route.maxOrderSize !== null && offerAmount > BigInt(route.maxOrderSize),
      "the offer is above the route's largest order",
    ],
    [
      (protocolFee - leastFee) * RATE_UNIT < conversionFee,
      'the protocol fee is less than the conversion fee and half of the cost of an execution',
    ],
    [
      protocolFee * BPS > offerAmount * BigInt(MAX_PROTOCOL_FEE_BPS),
      'the protocol fee is more than the station takes',
    ],
    [
      integratorFee < 0n || integratorFee * BPS > offerAmount * BigInt(MAX_INTEGRATOR_FEE_BPS),
      'the integrator fee is more than the station takes',
    ],
    [
      integratorFee > 0n && integratorFeeReceiver === zeroAddress,
      'the integrator fee has no receiver',
    ],
    [quote.deadline <= BigInt(bounds.now), 'its deadline is past'],
    [quote.deadline > BigInt(bounds.latestDeadline), 'its deadline is too late'],
  ]
  return faults.find(([isFault]) => isFault)?.[1] ?? null
}
