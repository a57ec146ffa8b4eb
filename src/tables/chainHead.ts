import { onchainTable } from 'ponder'

/** The newest indexed block of each chain: every fact up to it is in the tables. */
export const chainHead = onchainTable('chain_head', (t) => ({
  chainId: t.integer().primaryKey(),
  blockNumber: t.int8({ mode: 'bigint' }).notNull(),
  blockHash: t.hex().notNull(),
  blockTimestamp: t.int8({ mode: 'bigint' }).notNull(),
  /** The hash of the last block that can have changed a row of another table. */
  lastChangeHash: t.hex().notNull(),
  /** Whether no row stands above this head. False while a restarted indexer writes rows of blocks that have no head yet. */
  isReady: t.boolean().notNull(),
}))
