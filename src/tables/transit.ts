import { onchainTable, primaryKey } from 'ponder'
import type { Hex } from 'viem'
import { logKey, origin } from './origin.ts'

/**
 * A Transit order on its source chain: OrderSubmitted, and the OrderBridged before it in the same transaction, which is
 * missing where both chains are the same. Amounts in base units of the offer asset. Between the two logs only what
 * OrderBridged says is known.
 */
export const transitSource = onchainTable(
  'transit_source',
  (t) => ({
    ...origin(t),
    orderId: t.hex().notNull(),
    sourceEid: t.int8({ mode: 'number' }),
    destinationEid: t.int8({ mode: 'number' }).notNull(),
    /** The caller of the station, who paid. */
    userAddress: t.hex(),
    /** The sender of the transaction. Not the payer where a contract called the station. */
    transactionSender: t.hex(),
    offerAsset: t.hex(),
    wantAsset: t.hex(),
    offerAmount: t.bigint(),
    receiver: t.hex(),
    protocolFee: t.bigint(),
    integratorFee: t.bigint(),
    integratorFeeReceiver: t.hex(),
    distributorCode: t.hex(),
    deadline: t.bigint(),
    salt: t.hex(),
    /** The id of the message to the destination. */
    messageGuid: t.hex(),
    /** The amount that the message carries, after fees, in 18 decimals. */
    bridgedNormalized18: t.bigint(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.orderId] }) }),
)

/** A later log of an order on its destination. Amounts in base units of the want asset, as decimal text. */
export type OrderLog = {
  blockNumber: number
  blockHash: Hex
  /** Unix seconds of the block. */
  timestamp: number
  transactionHash: Hex
  logIndex: number
  remaining: string
}

/** OrderExecuted: one payment to the receiver, whole or in part. */
export type OrderExecution = OrderLog & { amount: string }

/**
 * A Transit order on its destination chain: made by OrderReceived, then changed by OrderBridgeReceived, OrderExecuted and
 * OrderForceRemoved. Or made by UUIDForceSetUsed for an order that never arrives there: its amounts, assets and receiver are null.
 */
export const transitDestination = onchainTable(
  'transit_destination',
  (t) => ({
    ...origin(t),
    orderId: t.hex().notNull(),
    status: t.text().$type<'PROCESSING' | 'PROCESSED' | 'REMOVED'>().notNull(),
    offerAsset: t.hex(),
    wantAsset: t.hex(),
    receiver: t.hex(),
    /** Base units of the want asset, as `remaining`. */
    amountDue: t.bigint(),
    remaining: t.bigint(),
    /** Unix seconds. */
    queuedAt: t.int8({ mode: 'bigint' }),
    /** Null for an order that was submitted on this same chain. */
    sourceEid: t.int8({ mode: 'number' }),
    messageGuid: t.hex(),
    executions: t.json().$type<OrderExecution[]>().notNull(),
    removals: t.json().$type<OrderLog[]>().notNull(),
    /** The transactions that set the id as used although it was: they change nothing else. */
    usedAgain: t.json().$type<Hex[]>().notNull(),
    lastBlockNumber: t.int8({ mode: 'bigint' }).notNull(),
    lastBlockTimestamp: t.int8({ mode: 'bigint' }).notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.orderId] }) }),
)

/** RouteApprovalSet, on the source chain: its station takes orders over this route, or stops taking them. */
export const transitRouteApproval = onchainTable(
  'transit_route_approval',
  (t) => ({
    ...origin(t),
    destinationEid: t.int8({ mode: 'number' }).notNull(),
    offerAsset: t.hex().notNull(),
    wantAsset: t.hex().notNull(),
    approved: t.boolean().notNull(),
  }),
  (table) => logKey(table),
)

/**
 * The orders of a route that were submitted in one period, summed: in an hour or a day (`seconds` long) whose last second
 * is `until`, or in all time (both 0). Amounts in base units of the offer asset.
 */
export const transitSubmissionPeriod = onchainTable(
  'transit_submission_period',
  (t) => ({
    chainId: t.integer().notNull(),
    seconds: t.integer().notNull(),
    until: t.int8({ mode: 'bigint' }).notNull(),
    destinationEid: t.int8({ mode: 'number' }).notNull(),
    offerAsset: t.hex().notNull(),
    wantAsset: t.hex().notNull(),
    orderCount: t.integer().notNull(),
    offerVolume: t.bigint().notNull(),
    protocolFees: t.bigint().notNull(),
    /** The amount that was sent to another chain, after fees, in 18 decimals. */
    bridgedNormalized18: t.bigint().notNull(),
  }),
  (table) => ({
    pk: primaryKey({
      columns: [
        table.chainId,
        table.seconds,
        table.until,
        table.destinationEid,
        table.offerAsset,
        table.wantAsset,
      ],
    }),
  }),
)

/**
 * The sums of a route's executions and removals on the destination in one period. The periods are those of
 * `transit_submission_period`, the amounts base units of the want asset.
 */
export const transitDeliveryPeriod = onchainTable(
  'transit_delivery_period',
  (t) => ({
    chainId: t.integer().notNull(),
    seconds: t.integer().notNull(),
    until: t.int8({ mode: 'bigint' }).notNull(),
    /** 0 for orders that were submitted on this same chain. */
    sourceEid: t.int8({ mode: 'number' }).notNull(),
    offerAsset: t.hex().notNull(),
    wantAsset: t.hex().notNull(),
    receivedCount: t.integer().notNull(),
    /** The amount that came from another chain, in 18 decimals. */
    receivedNormalized18: t.bigint().notNull(),
    /** Owed at the arrival. */
    amountDue: t.bigint().notNull(),
    /** The orders that were wholly executed. */
    executedCount: t.integer().notNull(),
    /** The amount that receivers were paid, also in parts. */
    deliveredVolume: t.bigint().notNull(),
    removedCount: t.integer().notNull(),
    /** Still owed at the removal. */
    removedAmount: t.bigint().notNull(),
  }),
  (table) => ({
    pk: primaryKey({
      columns: [
        table.chainId,
        table.seconds,
        table.until,
        table.sourceEid,
        table.offerAsset,
        table.wantAsset,
      ],
    }),
  }),
)
