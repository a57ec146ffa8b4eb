import type { Hex } from 'viem'
import { admitAnswer } from '../chain/indexProgress.ts'
import type { RequestContext } from '../context.ts'
import { ServiceError } from '../error/serviceError.ts'
import type { TransitOrder } from './order.ts'
import { transitChains } from './transitChains.ts'

/**
 * One order by id, from the index. Throws `ORDER_NOT_FOUND`, `NOT_YET_INDEXED` when a station knows
 * the id, `INDEX_CATCHING_UP`, or `RPC_UNAVAILABLE` when an unknown id cannot be looked up.
 */
export async function getTransitOrder(context: RequestContext, id: Hex): Promise<TransitOrder> {
  const { progress, order } = await context.orderReads.read(id)
  if (order) {
    const touched = new Set([order.sourceChainId, order.destinationChainId])
    await admitAnswer(context, progress, touched)
    return order
  }
  const stations = transitChains(context.addressBook)
  await admitAnswer(
    context,
    progress,
    stations.map(({ chainId }) => chainId),
  )
  const chainId = await context.orderLookup.find(id)
  if (chainId === null)
    throw new ServiceError('ORDER_NOT_FOUND', `No order ${id} is known on any chain`)
  throw new ServiceError(
    'NOT_YET_INDEXED',
    `Order ${id} is on chain ${chainId}; the index has not reached it yet`,
    { metadata: { chainId: String(chainId) }, retryAfterSeconds: 1 },
  )
}
