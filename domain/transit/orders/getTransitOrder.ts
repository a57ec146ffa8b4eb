import type { Hex } from 'viem'
import { ServiceError } from '../../error/serviceError.ts'
import { admitAnswer } from '../../index/indexProgress.ts'
import { stationOf, transitChains } from '../transitChains.ts'
import type { TransitContext } from '../transitContext.ts'
import type { TransitOrder } from './transitOrder.ts'

/**
 * One order by id, from the index. Throws `ORDER_NOT_FOUND`, `NOT_YET_INDEXED` when a station knows
 * the id, `INDEX_CATCHING_UP`, or `RPC_UNAVAILABLE` when an unknown id cannot be looked up.
 */
export async function getTransitOrder(context: TransitContext, id: Hex): Promise<TransitOrder> {
  const { progress, order } = await context.readOrder(id)
  if (order) {
    const { sourceChainId, destinationChainId } = order
    // The other side can be a chain outside of the address book, which is not indexed.
    const touched = [sourceChainId, destinationChainId].filter((chainId) =>
      stationOf(context.addressBook, chainId),
    )
    await admitAnswer(context, progress, touched)
    return order
  }
  const stations = transitChains(context.addressBook).map(({ chainId }) => chainId)
  await admitAnswer(context, progress, stations)
  const chainId = await context.unindexedOrders.find(id, context)
  if (chainId === null)
    throw new ServiceError('ORDER_NOT_FOUND', `No order ${id} is known on any chain`)
  throw new ServiceError(
    'NOT_YET_INDEXED',
    `Order ${id} is on chain ${chainId}; the index has not reached it yet`,
    { metadata: { chainId: String(chainId) }, retryAfterSeconds: 1 },
  )
}
