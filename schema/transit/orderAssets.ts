import type { TransitOrder } from '../../domain/transit/order.ts'

/** The two tokens of each order or route, each on its own chain. */
export function orderAssets(
  orders: Pick<TransitOrder, 'sourceChainId' | 'destinationChainId' | 'offerAsset' | 'wantAsset'>[],
) {
  return orders.flatMap((order) => [
    { chainId: order.sourceChainId, address: order.offerAsset },
    { chainId: order.destinationChainId, address: order.wantAsset },
  ])
}
