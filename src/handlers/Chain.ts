import { ponder } from 'ponder:registry'
import { ChainHead as chainHead } from 'ponder:schema'
import { hasHandledLog, noteHead } from '../lib/ponder.ts'

/**
 * Records each block as the indexed head, in the transaction that writes its other facts. A
 * reorganisation or a restart reverts both together, so no row can disagree with the head.
 */
ponder.on('Chain:block', async ({ event, context }) => {
  const {
    number: blockNumber,
    hash: blockHash,
    timestamp: blockTimestamp,
    parentHash,
  } = event.block
  const chainId = context.chain.id
  const head = { blockNumber, blockHash, blockTimestamp, isReady: true }
  await context.db
    .insert(chainHead)
    .values({ chainId, ...head, lastChangeHash: blockHash })
    .onConflictDoUpdate((last) => {
      // After a start there can be blocks without a head, so `last` is not always the parent.
      const isSame = last.blockHash === parentHash && !hasHandledLog(chainId, blockHash)
      return { ...head, lastChangeHash: isSame ? last.lastChangeHash : blockHash }
    })
  noteHead(chainId)
})
