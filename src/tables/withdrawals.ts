import { onchainTable, primaryKey } from 'ponder'
import { logKey, origin } from './origin.ts'

/** BulkWithdraw of a teller: by a queue for a withdrawal request, or by an account for itself. */
export const bulkWithdrawal = onchainTable(
  'bulk_withdrawal',
  (t) => ({
    ...origin(t),
    vault: t.hex().notNull(),
    teller: t.hex().notNull(),
    asset: t.hex().notNull(),
    shares: t.bigint().notNull(),
    /** From the vault's Exit just before: who burnt the shares, who was paid, how much. Null without it. */
    account: t.hex(),
    recipient: t.hex(),
    assets: t.bigint(),
  }),
  (table) => logKey(table),
)

/** The last Exit of a vault: later events of the same transaction lack the amounts, and take them from here. */
export const vaultExit = onchainTable(
  'vault_exit',
  (t) => ({
    ...origin(t),
    vault: t.hex().notNull(),
    asset: t.hex().notNull(),
    recipient: t.hex().notNull(),
    account: t.hex().notNull(),
    assets: t.bigint().notNull(),
    shares: t.bigint().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.vault] }) }),
)

/** A paid withdrawal, by a queue or at once. */
export const withdrawal = onchainTable(
  'withdrawal',
  (t) => ({
    ...origin(t),
    vault: t.hex().notNull(),
    asset: t.hex().notNull(),
    /** The shares given for it, with the queue's fee. */
    shares: t.bigint().notNull(),
    assets: t.bigint().notNull(),
    isQueued: t.boolean().notNull(),
  }),
  (table) => logKey(table),
)

/** The sum of the withdrawals of one period (an hour or a day, `seconds` long), whose last second is `until`. */
export const withdrawalPeriod = onchainTable(
  'withdrawal_period',
  (t) => ({
    chainId: t.integer().notNull(),
    vault: t.hex().notNull(),
    asset: t.hex().notNull(),
    seconds: t.integer().notNull(),
    until: t.int8({ mode: 'bigint' }).notNull(),
    orderCount: t.integer().notNull(),
    shares: t.bigint().notNull(),
    assets: t.bigint().notNull(),
  }),
  (table) => ({
    pk: primaryKey({
      columns: [table.chainId, table.vault, table.asset, table.seconds, table.until],
    }),
  }),
)

/**
 * A withdrawal request, as the events of its queue leave it. The queue's contract calls it an order. A
 * receiver contract can act while it gets the receipt: then events of a request precede its submission,
 * and `isSubmitted` is false until that comes.
 */
export const withdrawalRequest = onchainTable(
  'withdrawal_request',
  (t) => ({
    ...origin(t),
    vault: t.hex().notNull(),
    queue: t.hex().notNull(),
    orderIndex: t.bigint().notNull(),
    isSubmitted: t.boolean().notNull(),
    /** The account that paid the shares. */
    userAddress: t.hex().notNull(),
    /** The holder of the receipt, or the last one: gets the payout, and may cancel. */
    receiver: t.hex().notNull(),
    refundReceiver: t.hex().notNull(),
    wantAsset: t.hex().notNull(),
    offerAmount: t.bigint().notNull(),
    isSubmittedViaSignature: t.boolean().notNull(),
    isMarkedForRefund: t.boolean().notNull(),
    isMarkedForRefundByUser: t.boolean().notNull(),
    isPaid: t.boolean().notNull(),
    isForceProcessed: t.boolean().notNull(),
    /** The shares were sent back, or, where that failed, to the recovery address. */
    isRefunded: t.boolean().notNull(),
    didFailTransfer: t.boolean().notNull(),
    didFailRefund: t.boolean().notNull(),
    /** Shares; null until it is paid. */
    feeAmount: t.bigint(),
    /** Base units of the want asset; null until it is paid. */
    assetsOut: t.bigint(),
    paidAt: t.int8({ mode: 'bigint' }),
    /** The transaction that paid or refunded it; null until then. */
    settlementTransactionHash: t.hex(),
    /** The cost of the offered shares, in the unit of `share_balance.cost`; 0 once they are paid or refunded. */
    cost: t.bigint().notNull(),
    isCostPriced: t.boolean().notNull(),
    lastBlockNumber: t.int8({ mode: 'bigint' }).notNull(),
    lastBlockTimestamp: t.int8({ mode: 'bigint' }).notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.queue, table.orderIndex] }) }),
)

/** The waiting requests of a queue for an asset, summed, without those marked for refund. */
export const withdrawalDemand = onchainTable(
  'withdrawal_demand',
  (t) => ({
    chainId: t.integer().notNull(),
    queue: t.hex().notNull(),
    asset: t.hex().notNull(),
    orderCount: t.integer().notNull(),
    shares: t.bigint().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.queue, table.asset] }) }),
)

/** The events of a queue's withdrawal requests, one row each. */
export const withdrawalRequestEvent = onchainTable(
  'withdrawal_request_event',
  (t) => ({
    ...origin(t),
    vault: t.hex().notNull(),
    queue: t.hex().notNull(),
    orderIndex: t.bigint().notNull(),
    /** The event's name in `abis/withdrawQueue.ts`. */
    name: t.text().notNull(),
    /** The last request of an OrdersProcessedInRange; its first is `orderIndex`. */
    lastOrderIndex: t.bigint(),
    /** The new holder of the receipt, in a Transfer. */
    holder: t.hex(),
  }),
  (table) => logKey(table),
)
