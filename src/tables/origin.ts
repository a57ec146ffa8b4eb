import { type onchainTable, primaryKey } from 'ponder'

type Columns = Parameters<
  Extract<Parameters<typeof onchainTable>[1], (...args: never[]) => unknown>
>[0]

/** The log that a row was written from, in the same columns in every table. */
export const origin = (t: Columns) => ({
  chainId: t.integer().notNull(),
  blockNumber: t.int8({ mode: 'bigint' }).notNull(),
  blockHash: t.hex().notNull(),
  blockTimestamp: t.int8({ mode: 'bigint' }).notNull(),
  transactionHash: t.hex().notNull(),
  logIndex: t.integer().notNull(),
})

type KeyColumn<Name extends string> = Parameters<typeof primaryKey>[0]['columns'][0] & {
  ' name': Name
}

type LogColumns = {
  chainId: KeyColumn<'chainId'>
  transactionHash: KeyColumn<'transactionHash'>
  logIndex: KeyColumn<'logIndex'>
}

/** The primary key of a table with one row per log. */
export const logKey = ({ chainId, transactionHash, logIndex }: LogColumns) => ({
  pk: primaryKey({ columns: [chainId, transactionHash, logIndex] }),
})
