import { ponder as registry } from 'ponder:registry'
import { ChainHead as chainHead } from 'ponder:schema'
import type { Hex } from 'viem'

export type { Context } from 'ponder:registry'

/** The newest block of each chain of which this process has handled a log. */
const changedBlocks = new Map<number, Hex>()
/** The chains whose every further log comes with a head: this process has written one, or none was ever written. */
const headed = new Set<number>()

type Handled = {
  event: { block: { hash: Hex } }
  context: Pick<import('ponder:registry').Context, 'chain' | 'db'>
}
type Registry = { on(name: string, handle: (handled: Handled) => Promise<void>): void }

/**
 * Ponder's registry for handlers of logs. It notes the block of each log, because the handler may change rows, and that the head
 * of an earlier process does not cover them.
 */
export const ponder = {
  on(name, handle) {
    ;(registry as Registry).on(name, async (handled) => {
      const { event, context } = handled
      changedBlocks.set(context.chain.id, event.block.hash)
      await leaveHead(context)
      await handle(handled)
    })
  },
} satisfies Registry as typeof registry

/** A restarted Ponder writes rows of past blocks without a head, so the head of before says no more how far the rows are. */
async function leaveHead({ chain, db }: Handled['context']) {
  if (headed.has(chain.id)) return
  const head = await db.find(chainHead, { chainId: chain.id })
  if (!head) headed.add(chain.id)
  else if (head.isReady) await db.update(chainHead, { chainId: chain.id }).set({ isReady: false })
}

/** From now on each transaction with rows of this chain also writes its head. */
export function noteHead(chainId: number) {
  headed.add(chainId)
}

/** Whether a log of this block was handled. Ponder hands out a block after its logs. */
export function hasHandledLog(chainId: number, blockHash: Hex): boolean {
  return changedBlocks.get(chainId) === blockHash
}
