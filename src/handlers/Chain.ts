import { ponder } from 'ponder:registry'
import { chainHead } from 'ponder:schema'

/**
 * Every block writes down that it is indexed, in the transaction that writes its other facts; a
 * reorganisation or a restart takes it back together with them. So no row can disagree with the head.
 */
ponder.on('Chain:block', async ({ event, context }) => {
  const { number: blockNumber, hash: blockHash, timestamp: blockTimestamp } = event.block
  const head = { blockNumber, blockHash, blockTimestamp }
  await context.db
    .insert(chainHead)
    .values({ chainId: context.chain.id, ...head })
    .onConflictDoUpdate(head)
})
