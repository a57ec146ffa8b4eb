/**
 * The facts: the events of each chain, and the state that follows from them. Each row is written
 * from one chain only; a query over the `read` views joins chains (docs/architecture.md).
 * Only primary keys are declared: Ponder drops declared indexes at every start, so the read
 * indexes live in db/readIndexes.ts.
 */

// Ponder locks the tables in the order of these names, which Node sorts, capital letters first. Readers lock the heads first.
export { chainHead as ChainHead } from './src/tables/chainHead.ts'
export * from './src/tables/deposits.ts'
export * from './src/tables/shares.ts'
export * from './src/tables/transit.ts'
export * from './src/tables/vaults.ts'
export * from './src/tables/withdrawals.ts'
