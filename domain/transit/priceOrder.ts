import { MAX_INTEGRATOR_FEE_BPS, MAX_PROTOCOL_FEE_BPS } from '../../abis/transitStation.ts'
import type { UsdPrice } from '../price/gasCost.ts'
import { wholeUnits } from '../token/wholeUnits.ts'
import { scaleAmount, WIRE_DECIMALS } from './scaleAmount.ts'

/** The fees and payout of a Transit order, in the station's own arithmetic. Amounts are base units. */

const PROTOCOL_BPS = BigInt(MAX_PROTOCOL_FEE_BPS)
const INTEGRATOR_BPS = BigInt(MAX_INTEGRATOR_FEE_BPS)
const BPS = 10_000n
/** Hundredths of a basis point in one. */
const RATE_UNIT = 1_000_000n
const CAP_RATE = (PROTOCOL_BPS * RATE_UNIT) / BPS
const MAX_UINT256 = 2n ** 256n - 1n

export type OrderPricing = {
  conversionRateHundredthsBps: number
  /** Offer base units. */
  fillCostFee: bigint
  offerDecimals: number
  wantDecimals: number
}

/** With the price of the offer asset, in which limits are shown. */
export type UsdPricing = OrderPricing & { offerUsd: UsdPrice }

/** In offer base units, except the last two. */
export type OrderPrice = {
  offerAmount: bigint
  conversionRateFee: bigint
  fillCostFee: bigint
  protocolFee: bigint
  integratorFee: bigint
  totalFees: bigint
  /** The offer after all fees. */
  net: bigint
  /** The net in 18 decimals, as in the station's message to the destination. */
  netNormalized18: bigint
  /** The amount due at the destination, in want base units. */
  amountOut: bigint
}

/** The price of an order, without a check of the station's limits (see `priceWithinLimits`). */
export function priceOrder(
  offerAmount: bigint,
  pricing: OrderPricing,
  integratorFee: bigint,
): OrderPrice {
  const { fillCostFee, offerDecimals, wantDecimals } = pricing
  const conversionRateFee = divideUp(
    offerAmount * BigInt(pricing.conversionRateHundredthsBps),
    RATE_UNIT,
  )
  const protocolFee = fillCostFee + conversionRateFee
  const totalFees = protocolFee + integratorFee
  const net = offerAmount > totalFees ? offerAmount - totalFees : 0n
  const netNormalized18 = scaleAmount(net, offerDecimals, WIRE_DECIMALS)
  return {
    offerAmount,
    conversionRateFee,
    fillCostFee,
    protocolFee,
    integratorFee,
    totalFees,
    net,
    netNormalized18,
    amountOut: scaleAmount(netNormalized18, WIRE_DECIMALS, wantDecimals),
  }
}

/** The least offer that pays out at least `wantAmount` (want base units) after all fees. */
export function leastOffer(
  wantAmount: bigint,
  pricing: OrderPricing,
  integratorFee: bigint,
): bigint {
  const { conversionRateHundredthsBps, fillCostFee, offerDecimals, wantDecimals } = pricing
  const netNormalized18 = leastScaled(wantAmount, wantDecimals, WIRE_DECIMALS)
  const net = leastScaled(netNormalized18, WIRE_DECIMALS, offerDecimals)
  // An offer less its conversion fee is `offer * (unit - rate) / unit`, rounded down.
  return divideUp(
    (net + fillCostFee + integratorFee) * RATE_UNIT,
    RATE_UNIT - BigInt(conversionRateHundredthsBps),
  )
}

/** The least amount with `to` decimals of which a station makes at least `amount` with `from` decimals. */
function leastScaled(amount: bigint, from: number, to: number): bigint {
  return from <= to ? amount * 10n ** BigInt(to - from) : divideUp(amount, 10n ** BigInt(from - to))
}

/** The largest protocol fee that a station takes from an offer. */
export function maxProtocolFee(offerAmount: bigint): bigint {
  return (offerAmount * PROTOCOL_BPS) / BPS
}

/** The largest integrator fee that a station takes from an offer. */
export function maxIntegratorFee(offerAmount: bigint): bigint {
  return (offerAmount * INTEGRATOR_BPS) / BPS
}

/**
 * An amount such that it and every larger offer has a protocol fee within the station's cap, and pays out
 * more than 0 with every integrator fee that the station takes.
 */
export function minOfferAmount(pricing: OrderPricing): bigint {
  const { conversionRateHundredthsBps, fillCostFee, offerDecimals, wantDecimals } = pricing
  // The cap is rounded down and the conversion fee up: together less than two base units.
  const forFees = divideUp(
    (fillCostFee + 2n) * RATE_UNIT,
    CAP_RATE - BigInt(conversionRateHundredthsBps),
  )
  const unitOfWant =
    10n ** BigInt(Math.max(0, offerDecimals - Math.min(wantDecimals, WIRE_DECIMALS)))
  const forDelivery = divideUp(unitOfWant * BPS, BPS - PROTOCOL_BPS - INTEGRATOR_BPS)
  return larger(forFees, forDelivery)
}

/** The route's minimum now: its floor, or the larger amount at which the fees are within the cap. */
export function minOrderSize(route: { minOrderSize: string }, pricing: OrderPricing): bigint {
  return larger(BigInt(route.minOrderSize), minOfferAmount(pricing))
}

/** An amount of the offer in USD, with two decimals, rounded half up: `"5.00"`. */
export function inUsd(
  amount: bigint,
  { offerUsd, offerDecimals }: Pick<UsdPricing, 'offerUsd' | 'offerDecimals'>,
): string {
  const unit = 10n ** BigInt(offerUsd.decimals + offerDecimals)
  return wholeUnits((2n * amount * offerUsd.answer * 100n + unit) / (2n * unit), 2)
}

/** Whether an offer fits a station's 256-bit arithmetic; a call that submits a larger one reverts. */
export function fitsStation(
  offerAmount: bigint,
  { offerDecimals, wantDecimals }: OrderPricing,
): boolean {
  const wire = scaleAmount(offerAmount, offerDecimals, WIRE_DECIMALS)
  const largest = [
    offerAmount * INTEGRATOR_BPS,
    wire,
    scaleAmount(wire, WIRE_DECIMALS, wantDecimals),
  ]
  return largest.every((amount) => amount <= MAX_UINT256)
}

/** Math.max takes no bigint. */
export function larger(left: bigint, right: bigint): bigint {
  return left < right ? right : left
}

function divideUp(amount: bigint, divisor: bigint): bigint {
  return (amount + divisor - 1n) / divisor
}
