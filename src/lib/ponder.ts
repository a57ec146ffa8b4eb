import { ponder as registry } from 'ponder:registry'
import type { Hex } from 'viem'

export type { Context } from 'ponder:registry'

/** The newest block of each chain of which this process has handled a log. */
const changedBlocks = new Map<number, Hex>()

type Handled = { event: { block: { hash: Hex } }; context: { chain: { id: number } } }
type Registry = { on(name: string, handle: (handled: Handled) => Promise<void>): void }

/** Ponder's registry for handlers of logs. It notes the block of each log, because the handler may change rows. */
export const ponder = {
  on(name, handle) {
    ;(registry as Registry).on(name, async (handled) => {
      changedBlocks.set(handled.context.chain.id, handled.event.block.hash)
      await handle(handled)
    })
  },
} satisfies Registry as typeof registry

/** Whether a log of this block was handled. Ponder hands out a block after its logs. */
export function hasHandledLog(chainId: number, blockHash: Hex): boolean {
  return changedBlocks.get(chainId) === blockHash
}
