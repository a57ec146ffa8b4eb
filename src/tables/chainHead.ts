import { onchainTable } from 'ponder'

/** The newest indexed block of each chain: every fact up to it is in the tables. */
export const chainHead = onchainTable('chain_head', (t) => ({
  chainId: t.integer().primaryKey(),
  blockNumber: t.int8({ mode: 'bigint' }).notNull(),
  blockHash: t.hex().notNull(),
  blockTimestamp: t.int8({ mode: 'bigint' }).notNull(),
}))
