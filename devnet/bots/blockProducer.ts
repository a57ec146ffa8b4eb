import type { Logger } from '../../processes/logger.ts'
import { type World, worldClient } from '../world.ts'
import { type Bot, startLoop } from './loop.ts'

export type BlockProducerOptions = {
  world: World
  logger: Logger
  everyMs?: number
  /** The age at which the head of an idle chain gets a successor. */
  idleSeconds?: number
}

/** A block each second until a transaction is finalized, and for a moment longer. */
const MARGIN_BLOCKS = 5n

/**
 * Makes the blocks of the local chains: one each second after a transaction until it is finalized, and one
 * a minute while nothing happens. A block a second for ever would fill memory and disk with empty blocks.
 */
export function startBlockProducer(options: BlockProducerOptions): Bot {
  const { world, logger, everyMs = 1_000, idleSeconds = 60 } = options
  const loops = world.addressBook.chains.map(({ id, finalityDepth }) => {
    const client = worldClient(world, id)
    const span = BigInt(finalityDepth) + MARGIN_BLOCKS
    /** The block up to which a block is made each second; null before the first look. */
    let busyUntil: bigint | null = null
    return startLoop({
      name: `block producer ${id}`,
      everyMs,
      logger,
      async run() {
        if (busyUntil === null) await client.setAutomine(false)
        const { number, timestamp, transactions } = await client.getBlock()
        if (busyUntil === null || transactions.length > 0) busyUntil = number + span
        const { pending } = await client.getTxpoolStatus()
        const age = Math.floor(Date.now() / 1_000) - Number(timestamp)
        if (pending > 0 || number < busyUntil || age >= idleSeconds)
          await client.mine({ blocks: 1 })
      },
    })
  })
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}
