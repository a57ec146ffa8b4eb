import type { Hex } from 'viem'
import { transitStationAbi } from '../../abis/transitStation.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { executeOrders } from '../../devnet/executeOrders.ts'
import { deliverPacket, readPackets } from '../../devnet/packets.ts'
import type { TokenSymbol } from '../../devnet/plan.ts'
import { removeOrder, tombstoneOrder } from '../../devnet/stationOwner.ts'
import { type World, worldClient, worldStations } from '../../devnet/world.ts'

export type StepTarget = { orderId: Hex; from: number; to: number; want: TokenSymbol }
type Step = (world: World, order: StepTarget) => Promise<unknown>

/** The steps of an order after its submission. */
export const ORDER_STEPS = {
  deliver: async (world, { orderId, from }) => {
    const source = worldStations(world).find(({ chainId }) => chainId === from)
    const packets = source ? await readPackets(world, source, { block: 0n }) : []
    const packet = packets.find((sent) => sent.orderId === orderId)
    if (!packet) throw new Error(`no packet of ${orderId} left chain ${from}`)
    const delivery = await deliverPacket(world, packet)
    if (delivery !== 'delivered') throw new Error(`${orderId} was not delivered: ${delivery}`)
  },
  executePart: (world, order) => executeShare(world, order, 3n),
  execute: (world, order) => executeShare(world, order, 1n),
  remove: (world, { to, orderId }) => removeOrder(world, to, orderId),
  tombstone: (world, { to, orderId }) => tombstoneOrder(world, to, orderId),
} satisfies Record<string, Step>

export type OrderStep = keyof typeof ORDER_STEPS

/** Executes the amount due divided by this number, rounded down. */
async function executeShare(world: World, { orderId, to, want }: StepTarget, parts: bigint) {
  const client = worldClient(world, to)
  const [, due] = await client.readContract({
    address: DEPLOYMENT.station,
    abi: transitStationAbi,
    functionName: 'pendingOrders',
    args: [orderId],
  })
  const { status } = await executeOrders(client, DEPLOYMENT.station, [
    { orderId, wantAsset: DEPLOYMENT.tokens[want], amount: due / parts },
  ])
  if (status !== 'success') throw new Error(`${orderId} was not executed`)
}
