import type { LocalAccount } from 'viem'
import { expect } from 'vitest'
import { createCausewayClient } from '../../sdk/src/createCausewayClient.ts'
import { ORDER_STEPS } from './orderSteps.ts'
import type { TestProduct } from './product.ts'

/** Waits for an order of the user, from chain 1 to USDG on chain 4663, and pays it as the stations' operators do. */
export async function payOpenOrder({ url, world }: TestProduct, user: LocalAccount) {
  const { transit } = createCausewayClient({ url })
  const open = () =>
    transit.orders({ userAddress: user.address, filter: { status: 'PENDING_BRIDGE' } }).take(1)
  await expect.poll(open).toHaveLength(1)
  const [order] = await open()
  if (!order) throw new Error('no order')
  const target = { orderId: order.id, from: 1, to: 4663, want: 'USDG' } as const
  await ORDER_STEPS.deliver(world, target)
  await ORDER_STEPS.execute(world, target)
}
