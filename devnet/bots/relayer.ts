import type { Hex } from 'viem'
import type { Logger } from '../../processes/logger.ts'
import { deliverPacket, type Packet, readPackets } from '../packets.ts'
import { type World, worldStations } from '../world.ts'
import { createHoldReader, HOLD_BRIDGE } from './hold.ts'
import { type Bot, startLoop } from './loop.ts'

export type RelayerOptions = { world: World; logger: Logger; everyMs?: number }

/** A delivery that reverts may never succeed: it is tried again rarely. */
const RETRY_MS = 30_000

/**
 * Carries LayerZero packets between the local nodes. What is left to carry is read from the chains
 * at every start, so killing it loses nothing. Orders coded HOLD_BRIDGE stay where they are.
 */
export function startRelayer({ world, logger, everyMs = 250 }: RelayerOptions): Bot {
  const hold = createHoldReader(world)
  const loops = worldStations(world).map((source) => {
    const next = { block: 0n }
    const waiting = new Map<Hex, { packet: Packet; notBefore: number }>()
    return startLoop({
      name: `relayer ${source.chainId}`,
      everyMs,
      logger,
      async run() {
        for (const packet of await readPackets(world, source, next))
          waiting.set(packet.guid, { packet, notBefore: 0 })
        for (const [guid, entry] of waiting) {
          if (entry.notBefore > Date.now()) continue
          const code = await hold.distributorCode(entry.packet.orderId)
          const outcome = code === HOLD_BRIDGE ? 'held' : await deliverPacket(world, entry.packet)
          if (outcome === 'failed') entry.notBefore = Date.now() + RETRY_MS
          else waiting.delete(guid)
          if (outcome !== 'known') logger.info({ guid, from: source.chainId, outcome }, 'packet')
        }
      },
    })
  })
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}
