import type { PlacedOrder } from '../../devnet/placeOrder.ts'
import { deliver, finish, ORDER_SEEDS, type OrderSeed, placeSeed } from '../../devnet/scenario.ts'
import { tombstoneOrder } from '../../devnet/stationOwner.ts'
import type { World } from '../../devnet/world.ts'

/** Seeds orders in every status, by the first three users. */
export async function seedScenario(world: World): Promise<void> {
  const orders: { seed: OrderSeed; placed: PlacedOrder }[] = []
  for (const [index, seed] of ORDER_SEEDS.entries())
    orders.push({ seed, placed: await placeSeed(world, seed, index) })

  for (const { seed, placed } of orders)
    if (seed.ending === 'tombstoned') await tombstoneOrder(world, seed.to, placed.orderId)
  for (const { seed, placed } of orders)
    if (seed.ending !== 'bridging') await deliver(world, placed)
  for (const { seed, placed } of orders) await finish(world, seed, placed.orderId)
}
