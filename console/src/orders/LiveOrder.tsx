import type { Hash } from 'viem'
import { OrderState } from './OrderState.tsx'
import { useLiveOrder } from './useLiveOrder.ts'

/** An order that updates by itself, within another page. */
export function LiveOrder({ orderId }: { orderId: Hash }) {
  return <OrderState orderId={orderId} live={useLiveOrder(orderId)} />
}
