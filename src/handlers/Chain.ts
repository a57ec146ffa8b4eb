import { ponder } from 'ponder:registry'
import { chainHead } from 'ponder:schema'

/**
 * Records each block as the indexed head, in the transaction that writes its other facts. A
 * reorganisation or a restart reverts both together, so no row can disagree with the head.
 */
ponder.on('Chain:block', async ({ event, context }) => {
  const { number: blockNumber, hash: blockHash, timestamp: blockTimestamp } = event.block
  const head = { blockNumber, blockHash, blockTimestamp }
  await context.db
    .insert(chainHead)
    .values({ chainId: context.chain.id, ...head })
    .onConflictDoUpdate(head)
})
