import type { Hex } from 'viem'
import {
  createResourceWatch,
  type IndexSignal,
  type ResourceWatch,
} from '../../watch/resourceWatch.ts'
import type { ReadOrder } from './readOrders.ts'
import type { TransitOrder } from './transitOrder.ts'

/** Waits for a change of an order's status, amounts, steps or finality. */
export type OrderWatch = ResourceWatch<Hex, TransitOrder>

export function createOrderWatch(readOrder: ReadOrder, onIndexChange: IndexSignal): OrderWatch {
  const read = (id: Hex) => readOrder(id).then(({ order }) => order)
  return createResourceWatch({ read, version }, onIndexChange)
}

/**
 * An order whose destination is indexed first gets the steps of its source with no other change, and a reorganisation can
 * put a step into another block.
 */
function version({
  status,
  amountDue,
  remainingAmountDue,
  timeline,
  finalized,
}: TransitOrder): string {
  const steps = timeline.map((step) => `${step.transactionHash} ${step.blockNumber}`)
  return `${status} ${amountDue} ${remainingAmountDue} ${steps.join()} ${finalized}`
}

/** Whether an order can change no more: it is paid or removed, and no reorganisation is expected to undo that. */
export function isFinished({ status, finalized }: TransitOrder): boolean {
  return finalized && (status === 'PROCESSED' || status === 'REMOVED')
}
