import type { Hex } from 'viem'
import { alertDelivery, type Packet, readPackets, sendDelivery } from '../packets.ts'
import { worldStations } from '../world.ts'
import { createHoldReader, HOLD_BRIDGE } from './hold.ts'
import { type Bot, type BotOptions, startBot } from './startBot.ts'

type Waiting = { packet: Packet; notBefore: number; isAlerted: boolean }

/** A packet whose delivery reverts may never succeed: it is alerted once and then tried rarely. */
const RETRY_MS = 30_000

/**
 * Carries LayerZero packets between the local nodes. The packets left to carry are read from the chains
 * at every start, so stopping the relayer loses nothing. Orders with the code HOLD_BRIDGE are not
 * carried.
 */
export function startRelayer({ world, logger, everyMs = 250, activity }: BotOptions): Bot {
  const hold = createHoldReader(world)
  const chains = worldStations(world).map((source) => {
    const next = { block: 0n }
    const waiting = new Map<Hex, Waiting>()

    async function send(entry: Waiting) {
      const code = await hold.distributorCode(entry.packet.orderId)
      if (code === HOLD_BRIDGE) return { entry, outcome: 'held' as const }
      return { entry, ...(await sendDelivery(world, entry.packet)) }
    }

    async function settle({ entry, outcome }: Awaited<ReturnType<typeof send>>) {
      const { packet } = entry
      const settled = await outcome
      if (settled !== 'known')
        logger.info({ guid: packet.guid, from: source.chainId, outcome: settled }, 'packet')
      if (settled !== 'failed') return waiting.delete(packet.guid)
      entry.notBefore = Date.now() + RETRY_MS
      if (!entry.isAlerted) await alertDelivery(world, packet)
      entry.isAlerted = true
    }

    return {
      chainId: source.chainId,
      async run() {
        for (const packet of await readPackets(world, source, next))
          waiting.set(packet.guid, { packet, notBefore: 0, isAlerted: false })
        const sent: Awaited<ReturnType<typeof send>>[] = []
        for (const entry of waiting.values())
          if (entry.notBefore <= Date.now()) sent.push(await send(entry))
        for (const delivery of sent) await settle(delivery)
      },
    }
  })
  return startBot({ name: 'relayer', everyMs, logger, activity }, chains)
}
