import type { Address } from 'viem'
import { receiverRefusal } from '../receiver/refuseReceivers.ts'
import { minOrderSize, type UsdPricing } from '../transit/priceOrder.ts'
import { priceWithinLimits } from '../transit/quotes/priceWithinLimits.ts'
import { quoteReceivers } from '../transit/quotes/quoteParams.ts'
import { routeReads } from '../transit/quotes/routeReads.ts'
import {
  refuseUnapproved,
  refuseUnconnected,
  refuseUnready,
  signerOf,
} from '../transit/quotes/stationRefusals.ts'
import type { ResolvedRoute } from '../transit/routes/resolvedRoutes.ts'
import type { TransitContext } from '../transit/transitContext.ts'
import { type Capability, openIfAllPass } from './capability.ts'

/**
 * Whether a quote over a route would be signed now, to a receiver if one is given: by the checks of quotes, with an amount
 * within the limits of the route. The caps of an hour depend on the amount and the caller, and close nothing here.
 */
export async function routeCapability(
  context: TransitContext,
  resolved: ResolvedRoute,
  userAddress: Address | undefined,
): Promise<Capability> {
  const receivers = quoteReceivers({ ...resolved.route, ...(userAddress && { userAddress }) })
  const reads = routeReads(context, resolved, receivers)
  const withState = (check: (state: Awaited<typeof reads.state>) => unknown) =>
    reads.state.then(check)
  return openIfAllPass([
    () => {
      const refusal = receiverRefusal(context.addressBook, receivers)
      if (refusal) throw refusal
    },
    reads.receiving,
    ...reads.checks,
    withState((state) => refuseUnapproved(context, resolved, state)),
    reads.pricing.then((pricing) => refuseEveryAmount(resolved, pricing)),
    withState((state) => refuseUnready(resolved, state, 'submitOrder')),
    Promise.all([reads.state, reads.receiving]).then(([state, receiving]) =>
      refuseUnconnected(resolved, state, receiving),
    ),
    withState((state) => signerOf(context.quoteSigner, resolved, state)),
  ])
}

/** Throws `BELOW_MIN_ORDER_SIZE` while an execution costs so much that the least order is above the largest. */
function refuseEveryAmount(resolved: ResolvedRoute, pricing: UsdPricing): void {
  const { route } = resolved
  const least = minOrderSize(route, pricing)
  const most = route.maxOrderSize === null ? least : BigInt(route.maxOrderSize)
  priceWithinLimits({ offerAmount: least < most ? least : most }, resolved, pricing)
}
