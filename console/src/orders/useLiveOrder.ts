import { type components, getTransitOrder, watchTransitOrder } from '@causeway/sdk'
import type { Hash } from 'viem'
import { type LiveResource, useLive } from '../api/useLive.ts'

export type Order = components['schemas']['TransitOrder']

const ORDER: LiveResource<Order> = {
  name: 'order',
  read: (connection, orderId, options) => getTransitOrder(connection, { orderId }, options),
  watch: watchTransitOrder,
  absent: ['ORDER_NOT_FOUND', 'NOT_YET_INDEXED'],
}

/** An order that updates without a reload until it has ended and is finalized. */
export function useLiveOrder(orderId: Hash) {
  return useLive(ORDER, orderId)
}
