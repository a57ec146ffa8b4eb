import { invalidFields, refusedField } from '../../error/serviceError.ts'
import { checksummed } from '../../token/checksummed.ts'
import {
  fitsStation,
  inUsd,
  leastOffer,
  maxIntegratorFee,
  maxProtocolFee,
  minOrderSize,
  type OrderPrice,
  priceOrder,
  type UsdPricing,
} from '../priceOrder.ts'
import type { ResolvedRoute } from '../routes/resolvedRoutes.ts'

/** An offer (offer base units), or instead of it the amount that the receiver shall get (want base units). */
type Offer = {
  offerAmount?: bigint | undefined
  wantAmount?: bigint | undefined
  integratorFee?: bigint | undefined
}

/**
 * The price of an offer, or of the least one for what is wanted, within the limits of its route and station.
 * Throws `INVALID_FIELD`, `BELOW_MIN_ORDER_SIZE`, `ABOVE_MAX_ORDER_SIZE` or `QUOTE_FEE_TOO_HIGH`, with the limit.
 */
export function priceWithinLimits(
  offer: Offer,
  { route }: ResolvedRoute,
  pricing: UsdPricing,
): OrderPrice {
  const { integratorFee = 0n } = offer
  const offerAmount = offerOf(offer, pricing)
  const field = offer.wantAmount === undefined ? 'offerAmount' : 'wantAmount'
  const needed = offer.wantAmount === undefined ? '' : `needs an offer of ${offerAmount}: `
  const asset = checksummed(route.offerAsset)
  const refuse = (
    reason: 'BELOW_MIN_ORDER_SIZE' | 'ABOVE_MAX_ORDER_SIZE' | 'QUOTE_FEE_TOO_HIGH',
    {
      field,
      bound,
      message,
      ...metadata
    }: Record<'field' | 'bound' | 'message', string> & Record<string, string>,
  ) =>
    refusedField(reason, { field, description: bound, message, metadata: { asset, ...metadata } })

  if (!fitsStation(offerAmount, pricing))
    throw invalidFields([{ field, description: "too large for the station's arithmetic" }])
  const least = minOrderSize(route, pricing)
  if (offerAmount < least)
    throw refuse('BELOW_MIN_ORDER_SIZE', {
      field,
      bound: `${needed}at least ${least}`,
      // Existing clients read these words.
      message: `Order amount is below the minimum of $${inUsd(least, pricing)} (${least} base units). Please increase your offer amount.`,
      minOrderSize: String(least),
    })
  if (route.maxOrderSize !== null && offerAmount > BigInt(route.maxOrderSize))
    throw refuse('ABOVE_MAX_ORDER_SIZE', {
      field,
      bound: `${needed}at most ${route.maxOrderSize}`,
      message: `the order amount is above the maximum of ${route.maxOrderSize} base units of the offer asset`,
      maxOrderSize: route.maxOrderSize,
    })
  const most = maxIntegratorFee(offerAmount)
  if (integratorFee > most)
    throw refuse('QUOTE_FEE_TOO_HIGH', {
      field: 'integratorFee',
      bound: `at most ${most}`,
      message: `the integrator fee is above the maximum of ${most} base units of the offer asset`,
      maxIntegratorFee: String(most),
    })
  const price = priceOrder(offerAmount, pricing, integratorFee)
  if (price.protocolFee > maxProtocolFee(offerAmount) || price.amountOut === 0n)
    throw new Error(
      'Invariant(priceWithinLimits): a station takes the price of every offer above the minimum',
    )
  return price
}

function offerOf({ offerAmount, wantAmount, integratorFee = 0n }: Offer, pricing: UsdPricing) {
  if (wantAmount !== undefined) return leastOffer(wantAmount, pricing, integratorFee)
  if (offerAmount !== undefined) return offerAmount
  throw new Error('Invariant(priceWithinLimits): checked parameters have one of the two amounts')
}
