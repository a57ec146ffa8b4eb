import { onchainTable, primaryKey } from 'ponder'
import { logKey, origin } from './origin.ts'

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

/** OrderBridged, on the source chain: the message to the destination was sent. */
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
 * The destination's record of an order: made by OrderReceived, then changed by OrderBridgeReceived,
 * OrderExecuted and OrderForceRemoved of the same chain.
 */
export const transitDelivery = onchainTable(
  'transit_delivery',
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
    /** Null for an order that was submitted on this same chain. */
    sourceEid: t.int8({ mode: 'number' }),
    guid: t.hex(),
    /** An execution left 0 owed. True also for an order that owed 0 from the start and was executed. */
    isExecuted: t.boolean().notNull(),
    isRemoved: t.boolean().notNull(),
    lastBlockNumber: t.int8({ mode: 'bigint' }).notNull(),
    lastBlockTimestamp: t.int8({ mode: 'bigint' }).notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.orderId] }) }),
)

/** OrderExecuted, on the destination: one payment to the receiver, whole or in part. */
export const transitExecution = onchainTable(
  'transit_execution',
  (t) => ({
    ...origin(t),
    orderId: t.hex().notNull(),
    amount: t.bigint().notNull(),
    remaining: t.bigint().notNull(),
  }),
  (table) => logKey(table),
)

/** OrderForceRemoved, on the destination. */
export const transitRemoval = onchainTable(
  'transit_removal',
  (t) => ({
    ...origin(t),
    orderId: t.hex().notNull(),
    /** The amount still owed at the removal. */
    amountDue: t.bigint().notNull(),
  }),
  (table) => logKey(table),
)

/** UUIDForceSetUsed, on the destination: an order with this id can never be delivered there. */
export const transitTombstone = onchainTable(
  'transit_tombstone',
  (t) => ({
    ...origin(t),
    orderId: t.hex().notNull(),
  }),
  (table) => logKey(table),
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
