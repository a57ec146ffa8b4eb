import { onchainTable, primaryKey } from 'ponder'

/**
 * The facts: the events of each chain, and the state that follows from them. Each row is written
 * from one chain only; a query over the `read` views joins chains (docs/architecture.md).
 * Only primary keys are declared: Ponder drops declared indexes at every start, so the read
 * indexes live in db/readIndexes.ts.
 */

type Columns = Parameters<
  Extract<Parameters<typeof onchainTable>[1], (...args: never[]) => unknown>
>[0]

/** The log that a row was written from, in the same columns in every table. */
const origin = (t: Columns) => ({
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
const logKey = ({ chainId, transactionHash, logIndex }: LogColumns) => ({
  pk: primaryKey({ columns: [chainId, transactionHash, logIndex] }),
})

/** The newest indexed block of each chain: every fact up to it is in the tables. */
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

/**
 * A vault's shares and rate now. `rate` is from the accountant in use, in base units per whole share.
 * It is null until the first update; `openingRate` is then the rate before that update.
 */
export const vaultState = onchainTable(
  'vault_state',
  (t) => ({
    chainId: t.integer().notNull(),
    vault: t.hex().notNull(),
    /** The first block with an event of the vault. */
    firstBlock: t.int8({ mode: 'bigint' }).notNull(),
    firstTimestamp: t.int8({ mode: 'bigint' }).notNull(),
    /** In base units of the share token, like every amount of shares. */
    supply: t.bigint().notNull(),
    holders: t.integer().notNull(),
    /** Null before the first mint. */
    supplyBlock: t.int8({ mode: 'bigint' }),
    openingRate: t.bigint(),
    rate: t.bigint(),
    rateBlock: t.int8({ mode: 'bigint' }),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.vault] }) }),
)

/**
 * The vault at the end of each hour in which it changed. `hour` is the end of that hour, in Unix
 * seconds. The state at a full hour is the last row up to it.
 */
export const vaultHour = onchainTable(
  'vault_hour',
  (t) => ({
    chainId: t.integer().notNull(),
    vault: t.hex().notNull(),
    hour: t.int8({ mode: 'bigint' }).notNull(),
    supply: t.bigint().notNull(),
    holders: t.integer().notNull(),
    supplyBlock: t.int8({ mode: 'bigint' }),
    /** Null as in `vault_state`. */
    rate: t.bigint(),
    rateBlock: t.int8({ mode: 'bigint' }),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.vault, table.hour] }) }),
)

/**
 * Transfer of a vault's shares. Minted shares come from the zero address, burnt ones go to it; shares
 * that are only sent to it are not burnt.
 */
export const shareTransfer = onchainTable(
  'share_transfer',
  (t) => ({
    ...origin(t),
    vault: t.hex().notNull(),
    sender: t.hex().notNull(),
    recipient: t.hex().notNull(),
    amount: t.bigint().notNull(),
    /** The vault's rate at this log; null before its first update. */
    rate: t.bigint(),
    /**
     * Whether it is an activity of the sender: not of nothing or to oneself, not from the vault's own
     * contracts, not a part of a deposit or withdrawal. The same for the recipient.
     */
    countsForSender: t.boolean().notNull(),
    countsForRecipient: t.boolean().notNull(),
  }),
  (table) => logKey(table),
)

/**
 * The last transfer of a vault's shares from or to the zero address, a depositor or a queue: the event
 * after it in the same transaction shows whether it is a part of a deposit or withdrawal.
 */
export const lastShareTransfer = onchainTable(
  'last_share_transfer',
  (t) => ({
    ...origin(t),
    vault: t.hex().notNull(),
    sender: t.hex().notNull(),
    recipient: t.hex().notNull(),
    amount: t.bigint().notNull(),
    rate: t.bigint(),
    /** The cost that left the sender with the shares, in the unit of `share_balance.cost`. */
    cost: t.bigint().notNull(),
    /** Whether the recipient had got shares by a transfer before. */
    recipientHadTransferred: t.boolean().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.vault] }) }),
)

/**
 * An account's balance of a vault's shares, and its cost (docs/earn/positions.md). Stays as 0 after the
 * last share has left. The zero address has what was sent to it and not burnt. The zero address,
 * depositors and queues have no cost.
 */
export const shareBalance = onchainTable(
  'share_balance',
  (t) => ({
    chainId: t.integer().notNull(),
    vault: t.hex().notNull(),
    account: t.hex().notNull(),
    balance: t.bigint().notNull(),
    /** The cost of the shares. Shares times rate if `isPriced`, else shares that still wait for the opening rate. */
    cost: t.bigint().notNull(),
    /** The value of the shares that left, less their cost, in the same unit. */
    realised: t.bigint().notNull(),
    isPriced: t.boolean().notNull(),
    hasTransferredShares: t.boolean().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.vault, table.account] }) }),
)

/** An activity of a user in a vault that is more than a transfer of shares. */
export const vaultActivity = onchainTable(
  'vault_activity',
  (t) => ({
    ...origin(t),
    vault: t.hex().notNull(),
    /** One of `RECORDED_ACTIVITIES` (src/lib/recordActivity.ts). */
    type: t.text().notNull(),
    userAddress: t.hex().notNull(),
    /** The other account, if there is one. */
    counterparty: t.hex(),
    asset: t.hex(),
    /** Base units of the asset. */
    assetAmount: t.bigint(),
    shares: t.bigint().notNull(),
    /** The vault's rate at this log; null before its first update. */
    rate: t.bigint(),
    orderIndex: t.bigint(),
  }),
  (table) => logKey(table),
)

/** ExchangeRateUpdated of any accountant of a vault, in base units per whole share. */
export const exchangeRate = onchainTable(
  'exchange_rate',
  (t) => ({
    ...origin(t),
    vault: t.hex().notNull(),
    accountant: t.hex().notNull(),
    oldRate: t.bigint().notNull(),
    newRate: t.bigint().notNull(),
    /** The fees accrued with it, in base units of the base; null where the accountant's generation has no event of them. */
    feesAccrued: t.bigint(),
    /** The vault's shares at this event; null in rows of builds from before it. */
    supply: t.bigint(),
    /** Whether the vault used this accountant at that block, by the address book. */
    isInUse: t.boolean().notNull(),
  }),
  (table) => logKey(table),
)

/** The fees that an accountant accrued last: the rate update that follows in the transaction takes them from here. */
export const accountantAccrual = onchainTable(
  'accountant_accrual',
  (t) => ({
    chainId: t.integer().notNull(),
    accountant: t.hex().notNull(),
    transactionHash: t.hex().notNull(),
    /** In base units of the base. */
    amount: t.bigint().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.accountant] }) }),
)

/** Paused or Unpaused of a vault's teller or accountant. */
export const vaultPause = onchainTable(
  'vault_pause',
  (t) => ({
    ...origin(t),
    vault: t.hex().notNull(),
    contract: t.hex().notNull(),
    isPaused: t.boolean().notNull(),
  }),
  (table) => logKey(table),
)

/** SupplyCapInBaseUpdated or SupplyCapUpdated: the depositor's limit, in the unit of its `capIn` in the address book. */
export const supplyCap = onchainTable(
  'supply_cap',
  (t) => ({
    ...origin(t),
    vault: t.hex().notNull(),
    depositor: t.hex().notNull(),
    cap: t.bigint().notNull(),
  }),
  (table) => logKey(table),
)

/** FeeDataUpdated of a fee module in the address book. */
export const feeData = onchainTable(
  'fee_data',
  (t) => ({
    ...origin(t),
    module: t.hex().notNull(),
    token: t.hex().notNull(),
    /** In basis points. */
    feePercentage: t.bigint().notNull(),
    /** Base units of the token. */
    flatFee: t.bigint().notNull(),
  }),
  (table) => logKey(table),
)

/** FeeModuleUpdated: the fee module that a depositor or a queue uses from then on. */
export const feeModuleChange = onchainTable(
  'fee_module_change',
  (t) => ({
    ...origin(t),
    vault: t.hex().notNull(),
    contract: t.hex().notNull(),
    module: t.hex().notNull(),
  }),
  (table) => logKey(table),
)

/** A user's deposit, from the depositor's event: the amount before the depositor's fee. */
export const vaultDeposit = onchainTable(
  'vault_deposit',
  (t) => ({
    ...origin(t),
    vault: t.hex().notNull(),
    depositor: t.hex().notNull(),
    userAddress: t.hex().notNull(),
    recipient: t.hex().notNull(),
    asset: t.hex().notNull(),
    amount: t.bigint().notNull(),
    /** Base units of the asset; null where the generation's event lacks it. */
    feeAmount: t.bigint(),
    depositHash: t.hex().notNull(),
    /** keccak256 of the code. */
    distributorCodeHash: t.hex().notNull(),
  }),
  (table) => logKey(table),
)

/** Deposit, from the teller's event: the amount after the depositor's fee, and the shares minted. */
export const tellerDeposit = onchainTable(
  'teller_deposit',
  (t) => ({
    ...origin(t),
    vault: t.hex().notNull(),
    teller: t.hex().notNull(),
    nonce: t.bigint().notNull(),
    /** The depositor, not the user. */
    recipient: t.hex().notNull(),
    asset: t.hex().notNull(),
    amount: t.bigint().notNull(),
    shares: t.bigint().notNull(),
  }),
  (table) => logKey(table),
)

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

/** The last Enter of a vault: the depositor's event of the same transaction lacks the minted shares. */
export const vaultEntry = onchainTable(
  'vault_entry',
  (t) => ({
    ...origin(t),
    vault: t.hex().notNull(),
    recipient: t.hex().notNull(),
    /** After the depositor's fee. */
    assets: t.bigint().notNull(),
    shares: t.bigint().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.vault] }) }),
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
