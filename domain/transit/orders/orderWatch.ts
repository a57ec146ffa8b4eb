import type { Hex } from 'viem'
import {
  createResourceWatch,
  type IndexSignal,
  type ResourceWatch,
} from '../../watch/resourceWatch.ts'
import type { OrdersById } from './ordersById.ts'
import type { TransitOrder } from './transitOrder.ts'

/** Waits for a change of an order's status, amounts or finality. */
export type OrderWatch = ResourceWatch<Hex, TransitOrder>

export function createOrderWatch(ordersById: OrdersById, onIndexChange: IndexSignal): OrderWatch {
  const read = (id: Hex) => ordersById.read(id).then(({ order }) => order)
  return createResourceWatch({ read, version }, onIndexChange)
}

function version({ status, amountDue, remainingAmountDue, finalized }: TransitOrder): string {
  return `${status} ${amountDue} ${remainingAmountDue} ${finalized}`
}

/** Whether an order can change no more: it is paid or removed, and no reorganisation is expected to undo that. */
export function isFinished({ status, finalized }: TransitOrder): boolean {
  return finalized && (status === 'PROCESSED' || status === 'REMOVED')
}
