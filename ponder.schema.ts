import { onchainTable, primaryKey } from 'ponder'

/**
 * The facts: what one chain said, and that chain's own state. Each row is written from one chain
 * only; whatever spans chains is a query over the `read` views (docs/index.md).
 * Only primary keys are declared: Ponder drops declared indexes at every start, so the read
 * indexes live in db/readIndexes.ts.
 */

type Columns = Parameters<
  Extract<Parameters<typeof onchainTable>[1], (...args: never[]) => unknown>
>[0]

/** Where a fact comes from, spelt the same in every table. */
const origin = (t: Columns) => ({
  chainId: t.integer().notNull(),
  blockNumber: t.int8({ mode: 'bigint' }).notNull(),
  blockHash: t.hex().notNull(),
  blockTimestamp: t.int8({ mode: 'bigint' }).notNull(),
  transactionHash: t.hex().notNull(),
  logIndex: t.integer().notNull(),
})

/** The newest block of which every fact is here: what the index stands on, chain by chain. */
export const chainHead = onchainTable('chain_head', (t) => ({
  chainId: t.integer().primaryKey(),
  blockNumber: t.int8({ mode: 'bigint' }).notNull(),
  blockHash: t.hex().notNull(),
  blockTimestamp: t.int8({ mode: 'bigint' }).notNull(),
}))

/** OrderSubmitted, on the source chain. Amounts in base units of the offer asset. */
export const transitSubmission = onchainTable(
  'transit_submission',
  (t) => ({
    ...origin(t),
    orderId: t.hex().notNull(),
    sourceEid: t.int8({ mode: 'number' }).notNull(),
    destinationEid: t.int8({ mode: 'number' }).notNull(),
    userAddress: t.hex().notNull(),
    offerAsset: t.hex().notNull(),
    wantAsset: t.hex().notNull(),
    offerAmount: t.bigint().notNull(),
    receiver: t.hex().notNull(),
    protocolFee: t.bigint().notNull(),
    integratorFee: t.bigint().notNull(),
    integratorFeeReceiver: t.hex().notNull(),
    distributorCode: t.hex().notNull(),
    deadline: t.bigint().notNull(),
    salt: t.hex().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.orderId] }) }),
)

/** OrderBridged, on the source chain: the message that left for the destination. */
export const transitBridging = onchainTable(
  'transit_bridging',
  (t) => ({
    ...origin(t),
    orderId: t.hex().notNull(),
    destinationEid: t.int8({ mode: 'number' }).notNull(),
    guid: t.hex().notNull(),
    /** After fees, scaled to 18 decimals. */
    offerAmountNormalized18: t.bigint().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.orderId] }) }),
)

/**
 * The order as its destination station holds it: OrderReceived, then changed by
 * OrderBridgeReceived, OrderExecuted and OrderForceRemoved of the same chain.
 */
export const transitFill = onchainTable(
  'transit_fill',
  (t) => ({
    ...origin(t),
    orderId: t.hex().notNull(),
    offerAsset: t.hex().notNull(),
    wantAsset: t.hex().notNull(),
    receiver: t.hex().notNull(),
    /** Base units of the want asset, as `remaining`. */
    amountDue: t.bigint().notNull(),
    remaining: t.bigint().notNull(),
    queuedAt: t.int8({ mode: 'bigint' }).notNull(),
    /** Null when the order was submitted on this very chain. */
    sourceEid: t.int8({ mode: 'number' }),
    guid: t.hex(),
    /** An execution left nothing owed, which closes the order also when it owed 0. */
    isExecuted: t.boolean().notNull(),
    isRemoved: t.boolean().notNull(),
    lastBlockNumber: t.int8({ mode: 'bigint' }).notNull(),
    lastBlockTimestamp: t.int8({ mode: 'bigint' }).notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.orderId] }) }),
)

/** OrderExecuted, on the destination: one fill, whole or in part. */
export const transitExecution = onchainTable(
  'transit_execution',
  (t) => ({
    ...origin(t),
    orderId: t.hex().notNull(),
    amount: t.bigint().notNull(),
    remaining: t.bigint().notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.chainId, table.transactionHash, table.logIndex] }),
  }),
)

/** OrderForceRemoved, on the destination. */
export const transitRemoval = onchainTable(
  'transit_removal',
  (t) => ({
    ...origin(t),
    orderId: t.hex().notNull(),
    /** What was still owed when it was removed. */
    amountDue: t.bigint().notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.chainId, table.transactionHash, table.logIndex] }),
  }),
)

/** UUIDForceSetUsed: on the destination it bars an order that has not arrived, for good. */
export const transitTombstone = onchainTable(
  'transit_tombstone',
  (t) => ({
    ...origin(t),
    orderId: t.hex().notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.chainId, table.transactionHash, table.logIndex] }),
  }),
)

/** RouteApprovalSet, on the source chain: whether its station takes orders over this route. */
export const transitRouteApproval = onchainTable(
  'transit_route_approval',
  (t) => ({
    ...origin(t),
    destinationEid: t.int8({ mode: 'number' }).notNull(),
    offerAsset: t.hex().notNull(),
    wantAsset: t.hex().notNull(),
    approved: t.boolean().notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.chainId, table.transactionHash, table.logIndex] }),
  }),
)
