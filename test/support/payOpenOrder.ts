import type { LocalAccount } from 'viem'
import { expect } from 'vitest'
import { createCausewayClient } from '../../sdk/src/createCausewayClient.ts'
import { ORDER_STEPS } from './orderSteps.ts'
import type { TestProduct } from './product.ts'

/** Waits for an order of the user, from chain 1 to USDG, and pays it as the stations' operators do. By default it goes to chain 4663. */
export async function payOpenOrder(
  { url, world }: TestProduct,
  { address: userAddress }: LocalAccount,
  to: 1 | 4663 = 4663,
) {
  const { transit } = createCausewayClient({ url })
  const status = to === 1 ? 'PROCESSING' : 'PENDING_BRIDGE'
  const open = () =>
    transit.orders({ userAddress, filter: { status, destinationChainId: to } }).take(1)
  await expect.poll(open).toHaveLength(1)
  const [order] = await open()
  if (!order) throw new Error('no order')
  const target = { orderId: order.id, from: 1, to, want: 'USDG' } as const
  if (to !== 1) await ORDER_STEPS.deliver(world, target)
  await ORDER_STEPS.execute(world, target)
}
