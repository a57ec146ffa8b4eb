import type { LocalAccount } from 'viem'
import type { TransitRoute } from '../domain/addressBook/addressBook.ts'
import { distributorCodeOf, type OrderRequest } from './placeOrder.ts'

/** Marks the orders that `npm run traffic` makes. */
const TRAFFIC_CODE = distributorCodeOf('devnet:traffic')
/** The largest random order, in multiples of the smallest, if the route sets no largest. */
const LARGEST = 1_000n

/** An order over a random one of these routes, of any size that the route takes. `random` gives 0 ≤ n < 1. */
export function randomOrder(
  routes: TransitRoute[],
  user: LocalAccount,
  random: () => number = Math.random,
): OrderRequest {
  const route = routes[Math.floor(random() * routes.length)]
  if (!route) throw new Error('Invariant(randomOrder): there is a route to order over')
  const smallest = BigInt(route.minOrderSize)
  const largest = route.maxOrderSize === null ? smallest * LARGEST : BigInt(route.maxOrderSize)
  const share = BigInt(Math.floor(random() * 1_000_000))
  return {
    user,
    sourceChainId: route.sourceChainId,
    destinationChainId: route.destinationChainId,
    offerAsset: route.offerAsset,
    wantAsset: route.wantAsset,
    offerAmount: smallest + ((largest - smallest) * share) / 1_000_000n,
    distributorCode: TRAFFIC_CODE,
  }
}
