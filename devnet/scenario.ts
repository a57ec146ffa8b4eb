import type { Hex } from 'viem'
import { transitStationAbi } from '../abis/transitStation.ts'
import { DEVNET_USERS } from './accounts.ts'
import { HOLD_BRIDGE, HOLD_EXECUTION } from './bots/hold.ts'
import { DEPLOYMENT } from './deployment.ts'
import { executeOrders } from './executeOrders.ts'
import { deliverPacket, readPackets } from './packets.ts'
import { placeOrder } from './placeOrder.ts'
import { PLANNED_TOKENS, type TokenSymbol } from './plan.ts'
import { removeOrder, tombstoneOrder } from './stationOwner.ts'
import { type World, worldClient, worldStations } from './world.ts'

type Ending =
  | 'bridging'
  | 'open'
  | 'part'
  | 'executed'
  | 'executedInParts'
  | 'removed'
  | 'tombstoned'
type Seed = {
  from: number
  to: number
  offer: TokenSymbol
  want: TokenSymbol
  units: number
  ending: Ending
}

const SEEDS: Seed[] = [
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
const HELD: Partial<Record<Ending, Hex>> = {
  bridging: HOLD_BRIDGE,
  tombstoned: HOLD_BRIDGE,
  open: HOLD_EXECUTION,
  part: HOLD_EXECUTION,
}

/** Seeds orders in every status, by the first three users. Does nothing if there are orders already. */
export async function seedScenario(world: World): Promise<void> {
  if (await hasOrders(world)) return
  const orders: { seed: Seed; orderId: Hex }[] = []
  for (const [index, seed] of SEEDS.entries())
    orders.push({ seed, orderId: await placeSeed(world, seed, index) })

  for (const { seed, orderId } of orders)
    if (seed.ending === 'tombstoned') await tombstoneOrder(world, seed.to, orderId)
  const held = orders.flatMap(({ seed, orderId }) => (seed.ending === 'bridging' ? [orderId] : []))
  await deliverAllBut(world, held)
  for (const { seed, orderId } of orders) await finish(world, seed, orderId)
}

async function hasOrders(world: World): Promise<boolean> {
  const logs = await Promise.all(
    worldStations(world).map(({ chainId, station }) =>
      worldClient(world, chainId).getContractEvents({
        address: station,
        abi: transitStationAbi,
        eventName: 'OrderSubmitted',
        fromBlock: 0n,
      }),
    ),
  )
  return logs.flat().length > 0
}

async function placeSeed(world: World, seed: Seed, index: number): Promise<Hex> {
  const user = DEVNET_USERS[index % 3]
  const decimals = PLANNED_TOKENS.find(({ symbol }) => symbol === seed.offer)?.decimals
  if (!user || decimals === undefined)
    throw new Error('Invariant(placeSeed): a seed names what exists')
  const code = HELD[seed.ending]
  const { orderId } = await placeOrder(world, {
    user,
    sourceChainId: seed.from,
    destinationChainId: seed.to,
    offerAsset: DEPLOYMENT.tokens[seed.offer],
    wantAsset: DEPLOYMENT.tokens[seed.want],
    offerAmount: BigInt(seed.units) * 10n ** BigInt(decimals),
    ...(code ? { distributorCode: code } : {}),
  })
  return orderId
}

async function deliverAllBut(world: World, held: Hex[]) {
  for (const source of worldStations(world))
    for (const packet of await readPackets(world, source, { block: 0n }))
      if (!held.includes(packet.orderId)) await deliverPacket(world, packet)
}

async function finish(world: World, { to, want, ending }: Seed, orderId: Hex) {
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
