import type { Address, Hex } from 'viem'
import { transitStationAbi } from '../../abis/transitStation.ts'
import { type Execution, executeOrders } from '../../devnet/executeOrders.ts'
import { deliverPacket, type Packet, readPackets } from '../../devnet/packets.ts'
import { type World, worldClient, worldStations } from '../../devnet/world.ts'

export type StationOperators = {
  /** Delivers all messages of the stations that are at least this many blocks deep. */
  deliver(depth?: number): Promise<void>
  /** Pays what `share` makes of the amount that each pending order is due. */
  execute(share?: (amountDue: bigint) => bigint): Promise<void>
}

/** Those who run Transit between the local stations, one step at a time. */
export function createStationOperators(world: World): StationOperators {
  const stations = worldStations(world).map((station) => ({ ...station, next: { block: 0n } }))
  const sent = new Map<Hex, Packet>()

  async function executeOn(chainId: number, station: Address, share: (due: bigint) => bigint) {
    const client = worldClient(world, chainId)
    const orders = await client.readContract({
      address: station,
      abi: transitStationAbi,
      functionName: 'getPendingOrders',
    })
    const executions = orders.map(
      ({ terms: { uuid: orderId, wantAsset }, amountDue }): Execution => ({
        orderId,
        wantAsset,
        amount: share(amountDue),
      }),
    )
    if (executions.length > 0) await executeOrders(client, station, executions)
  }

  return {
    async deliver(depth = 0) {
      for (const station of stations)
        for (const packet of await readPackets(world, station, station.next, BigInt(depth)))
          sent.set(packet.guid, packet)
      // Also those that were delivered: a reorganisation may have taken the delivery back.
      for (const packet of sent.values()) await deliverPacket(world, packet)
    },
    async execute(share = (due) => due) {
      for (const { chainId, station } of stations) await executeOn(chainId, station, share)
    },
  }
}
