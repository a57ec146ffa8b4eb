import type { Hex } from 'viem'
import { transitStationAbi } from '../abis/transitStation.ts'
import { DEVNET_USERS } from './accounts.ts'
import { HOLD_BRIDGE, HOLD_EXECUTION } from './bots/hold.ts'
import { DEPLOYMENT } from './deployment.ts'
import { executeOrders } from './executeOrders.ts'
import { deliverPacket, packetsIn } from './packets.ts'
import { type PlacedOrder, placeOrder } from './placeOrder.ts'
import { PLANNED_TOKENS, type TokenSymbol } from './plan.ts'
import { removeOrder } from './stationOwner.ts'
import { type World, worldClient } from './world.ts'

type OrderEnding =
  | 'bridging'
  | 'open'
  | 'part'
  | 'executed'
  | 'executedInParts'
  | 'removed'
  | 'tombstoned'
export type OrderSeed = {
  from: number
  to: number
  offer: TokenSymbol
  want: TokenSymbol
  units: number
  ending: OrderEnding
}

export const ORDER_SEEDS: OrderSeed[] = [
  { from: 1, to: 4663, offer: 'USDC', want: 'USDG', units: 1_000, ending: 'executed' },
  { from: 1, to: 4663, offer: 'USDS', want: 'USDG', units: 250, ending: 'executedInParts' },
  { from: 4663, to: 1, offer: 'USDG', want: 'USDT', units: 75, ending: 'executed' },
  { from: 1, to: 1, offer: 'USDC', want: 'USDS', units: 40, ending: 'executed' },
  { from: 1, to: 4663, offer: 'USDT', want: 'USDG', units: 500, ending: 'bridging' },
  { from: 1, to: 4663, offer: 'USDC', want: 'USDG', units: 120, ending: 'open' },
  { from: 4663, to: 1, offer: 'USDG', want: 'USDS', units: 60, ending: 'part' },
  { from: 1, to: 1, offer: 'USDT', want: 'USDC', units: 30, ending: 'open' },
  { from: 4663, to: 1, offer: 'USDG', want: 'USDC', units: 90, ending: 'removed' },
  { from: 1, to: 4663, offer: 'USDP', want: 'USDG', units: 15, ending: 'tombstoned' },
]

/** The distributor codes with which the bots leave an order in the scenario's state. */
const HELD: Partial<Record<OrderEnding, Hex>> = {
  bridging: HOLD_BRIDGE,
  tombstoned: HOLD_BRIDGE,
  open: HOLD_EXECUTION,
  part: HOLD_EXECUTION,
}

/** Places an order on its source, by one of the first three users. */
export function placeSeed(world: World, seed: OrderSeed, index: number): Promise<PlacedOrder> {
  const user = DEVNET_USERS[index % 3]
  const decimals = PLANNED_TOKENS.find(({ symbol }) => symbol === seed.offer)?.decimals
  if (!user || decimals === undefined)
    throw new Error('Invariant(placeSeed): a seed names what exists')
  const code = HELD[seed.ending]
  return placeOrder(world, {
    user,
    sourceChainId: seed.from,
    destinationChainId: seed.to,
    offerAsset: DEPLOYMENT.tokens[seed.offer],
    wantAsset: DEPLOYMENT.tokens[seed.want],
    offerAmount: BigInt(seed.units) * 10n ** BigInt(decimals),
    ...(code ? { distributorCode: code } : {}),
  })
}

/** Carries an order to its destination. An order within one chain is there already. */
export async function deliver(world: World, { receipt }: PlacedOrder) {
  for (const packet of packetsIn(receipt.logs)) await deliverPacket(world, packet)
}

/** Gives an order that has arrived its ending. */
export async function finish(world: World, { to, want, ending }: OrderSeed, orderId: Hex) {
  if (ending === 'bridging' || ending === 'tombstoned' || ending === 'open') return
  if (ending === 'removed') return removeOrder(world, to, orderId)
  const client = worldClient(world, to)
  const [, amountDue] = await client.readContract({
    address: DEPLOYMENT.station,
    abi: transitStationAbi,
    functionName: 'pendingOrders',
    args: [orderId],
  })
  const part = amountDue / 3n
  const amounts = { executed: [amountDue], part: [part], executedInParts: [part, amountDue - part] }
  for (const amount of amounts[ending])
    await executeOrders(client, DEPLOYMENT.station, [
      { orderId, wantAsset: DEPLOYMENT.tokens[want], amount },
    ])
}
