import { worldClient } from '../world.ts'
import { type Bot, type BotOptions, startBot } from './startBot.ts'

/** Blocks each second after a transaction: until it is finalized, and a few more. */
export function busyBlocks({ finalityDepth }: { finalityDepth: number }): number {
  return finalityDepth + 5
}

/** The age at which the head of an idle chain gets a successor. */
export const IDLE_SECONDS = 60

/** Blocks that others put in the place of the newest one are noticed after this; those on top of it at once. */
const LOOK_MS = 5_000

/**
 * Makes the blocks of the local chains: one each second after a transaction until it is finalized, and one
 * a minute while nothing happens. A block a second for ever would fill memory and disk with empty blocks.
 * `activity` learns of each transaction.
 */
export function startBlockProducer(options: BotOptions & { idleSeconds?: number }): Bot {
  const { world, logger, everyMs = 1_000, idleSeconds = IDLE_SECONDS, activity } = options
  const chains = world.addressBook.chains.map((chain) => {
    const client = worldClient(world, chain.id, { batch: true })
    const span = BigInt(busyBlocks(chain))
    /** The block up to which a block is made each second; null before the first look. */
    let busyUntil: bigint | null = null
    /** The newest block that was looked at, and until when it need not be looked at again. */
    let seen = -1n
    let quietUntil = 0
    return {
      chainId: chain.id,
      async run() {
        if (busyUntil === null) await client.setAutomine(false)
        const [{ pending }, newest] = await Promise.all([
          client.getTxpoolStatus(),
          client.getBlockNumber(),
        ])
        if (pending === 0 && newest === seen && performance.now() < quietUntil) return
        const { number, timestamp, transactions } = await client.getBlock()
        seen = number
        if (busyUntil === null || transactions.length > 0) busyUntil = number + span
        const age = Math.floor(Date.now() / 1_000) - Number(timestamp)
        const isDue = pending > 0 || number < busyUntil || age >= idleSeconds
        quietUntil = performance.now() + Math.min(LOOK_MS, (idleSeconds - age) * 1_000)
        if (isDue) await client.mine({ blocks: 1 })
        if (pending > 0 || transactions.length > 0) activity?.note(chain.id)
      },
    }
  })
  return startBot({ name: 'block producer', everyMs, logger }, chains)
}
