import type { Hex } from 'viem'
import { transitStationAbi } from '../../abis/transitStation.ts'
import { distributorCodeOf } from '../placeOrder.ts'
import { type World, worldClient, worldStations } from '../world.ts'

/** The bots leave orders with these distributor codes alone. */
export const HOLD_BRIDGE = distributorCodeOf('devnet:hold-bridge')
export const HOLD_EXECUTION = distributorCodeOf('devnet:hold-execution')

export type HoldReader = {
  /** The order's distributor code, looked up on every station once; null if unknown. */
  distributorCode(orderId: Hex): Promise<Hex | null>
}

export function createHoldReader(world: World): HoldReader {
  const known = new Map<Hex, Hex>()
  return {
    async distributorCode(orderId) {
      const remembered = known.get(orderId)
      if (remembered) return remembered
      for (const { chainId, station } of worldStations(world)) {
        const [log] = await worldClient(world, chainId).getContractEvents({
          address: station,
          abi: transitStationAbi,
          eventName: 'OrderSubmitted',
          args: { uuid: orderId },
          fromBlock: 0n,
          strict: true,
        })
        if (!log) continue
        known.set(orderId, log.args.distributorCode)
        return log.args.distributorCode
      }
      return null
    },
  }
}
