import { invalidFields, refusedField } from '../../error/serviceError.ts'
import { checksummed } from '../../token/checksummed.ts'
import type { ResolvedRoute } from '../routes/resolvedRoutes.ts'
import {
  fitsStation,
  inUsd,
  maxIntegratorFee,
  maxProtocolFee,
  minOrderSize,
  type OrderPrice,
  priceOrder,
  type UsdPricing,
} from './priceOrder.ts'

type Offer = { offerAmount: bigint; integratorFee?: bigint | undefined }

/**
 * The price of an offer (offer base units) within the limits of its route and station. Throws
 * `INVALID_FIELD`, `BELOW_MIN_ORDER_SIZE`, `ABOVE_MAX_ORDER_SIZE` or `QUOTE_FEE_TOO_HIGH`, with the limit.
 */
export function priceWithinLimits(
  { offerAmount, integratorFee = 0n }: Offer,
  { route }: ResolvedRoute,
  pricing: UsdPricing,
): OrderPrice {
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
    throw invalidFields([
      { field: 'offerAmount', description: "too large for the station's arithmetic" },
    ])
  const least = minOrderSize(route, pricing)
  if (offerAmount < least)
    throw refuse('BELOW_MIN_ORDER_SIZE', {
      field: 'offerAmount',
      bound: `at least ${least}`,
      // Existing clients read these words.
      message: `Order amount is below the minimum of $${inUsd(least, pricing)} (${least} base units). Please increase your offer amount.`,
      minOrderSize: String(least),
    })
  if (route.maxOrderSize !== null && offerAmount > BigInt(route.maxOrderSize))
    throw refuse('ABOVE_MAX_ORDER_SIZE', {
      field: 'offerAmount',
      bound: `at most ${route.maxOrderSize}`,
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
