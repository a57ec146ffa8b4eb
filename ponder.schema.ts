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
    /** What was still owed when it was removed. */
    amountDue: t.bigint().notNull(),
  }),
  (table) => logKey(table),
)

/** UUIDForceSetUsed: on the destination it bars an order that has not arrived, for good. */
export const transitTombstone = onchainTable(
  'transit_tombstone',
  (t) => ({
    ...origin(t),
    orderId: t.hex().notNull(),
  }),
  (table) => logKey(table),
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
  (table) => logKey(table),
)

/**
 * What a vault's shares and rate are now. `rate` is that of the accountant in use, in base units per
 * whole share; null until its first update, which tells by `openingRate` what it was before.
 */
export const vaultState = onchainTable(
  'vault_state',
  (t) => ({
    chainId: t.integer().notNull(),
    vault: t.hex().notNull(),
    /** Of the first block in which anything happened to it. */
    firstBlock: t.int8({ mode: 'bigint' }).notNull(),
    firstTimestamp: t.int8({ mode: 'bigint' }).notNull(),
    /** Share units, as every amount of shares. */
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
 * The vault at the end of each hour in which it changed. `hour` is that end, in Unix seconds: what held
 * at a full hour is the last row up to it.
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

/** Transfer of a vault's shares; from or to nobody where they are minted or burnt. */
export const shareTransfer = onchainTable(
  'share_transfer',
  (t) => ({
    ...origin(t),
    vault: t.hex().notNull(),
    sender: t.hex().notNull(),
    recipient: t.hex().notNull(),
    amount: t.bigint().notNull(),
  }),
  (table) => logKey(table),
)

/** What an account has of a vault's shares; 0 for one that had some. */
export const shareBalance = onchainTable(
  'share_balance',
  (t) => ({
    chainId: t.integer().notNull(),
    vault: t.hex().notNull(),
    account: t.hex().notNull(),
    balance: t.bigint().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.vault, table.account] }) }),
)

/** ExchangeRateUpdated of any of a vault's accountants, in base units per whole share. */
export const exchangeRate = onchainTable(
  'exchange_rate',
  (t) => ({
    ...origin(t),
    vault: t.hex().notNull(),
    accountant: t.hex().notNull(),
    oldRate: t.bigint().notNull(),
    newRate: t.bigint().notNull(),
    /** Whether the address book says that the vault used this accountant then. */
    isInUse: t.boolean().notNull(),
  }),
  (table) => logKey(table),
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

/** SupplyCapInBaseUpdated, or SupplyCapUpdated of generation B: what a depositor mints up to. */
export const supplyCap = onchainTable(
  'supply_cap',
  (t) => ({
    ...origin(t),
    vault: t.hex().notNull(),
    depositor: t.hex().notNull(),
    cap: t.bigint().notNull(),
    /** Else in shares, which only generation B counts. */
    isInBase: t.boolean().notNull(),
  }),
  (table) => logKey(table),
)

/** FeeDataUpdated of a fee module that the address book names. */
export const feeData = onchainTable(
  'fee_data',
  (t) => ({
    ...origin(t),
    module: t.hex().notNull(),
    token: t.hex().notNull(),
    /** As the module counts, of 10,000. */
    feePercentage: t.bigint().notNull(),
    /** Base units of the token. */
    flatFee: t.bigint().notNull(),
  }),
  (table) => logKey(table),
)

/** FeeModuleUpdated: whom a depositor or a queue charges by from then on. */
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

/** A user's deposit, as the depositor tells it: the amount before its fee. */
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
    /** In the asset; null where the generation does not tell. */
    feeAmount: t.bigint(),
    depositHash: t.hex().notNull(),
    /** keccak256 of the code. */
    distributorCodeHash: t.hex().notNull(),
  }),
  (table) => logKey(table),
)

/** Deposit of a teller: the amount after the depositor's fee, and the shares for it. */
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

/** BulkWithdraw of a teller: by a queue for an order, or by an account for itself. */
export const bulkWithdrawal = onchainTable(
  'bulk_withdrawal',
  (t) => ({
    ...origin(t),
    vault: t.hex().notNull(),
    teller: t.hex().notNull(),
    asset: t.hex().notNull(),
    shares: t.bigint().notNull(),
    /** By the vault's Exit before it: who burnt them, and what was paid to whom; null without one. */
    account: t.hex(),
    recipient: t.hex(),
    assets: t.bigint(),
  }),
  (table) => logKey(table),
)

/** The last Exit of a vault, for what follows it in the same transaction and does not tell the amounts. */
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

/** A withdrawal that was paid, out of a queue or at once. */
export const withdrawal = onchainTable(
  'withdrawal',
  (t) => ({
    ...origin(t),
    vault: t.hex().notNull(),
    asset: t.hex().notNull(),
    /** What was given up for it, the queue's fee included. */
    shares: t.bigint().notNull(),
    assets: t.bigint().notNull(),
    isQueued: t.boolean().notNull(),
  }),
  (table) => logKey(table),
)

/** Those of an hour or a day, `seconds` long, which ends at `until` and includes its end. */
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
 * A withdraw queue's order as its events leave it. A receiver may act while it is handed the receipt,
 * so that events of an order can come before its submission: until then `isSubmitted` is false.
 */
export const withdrawOrder = onchainTable(
  'withdraw_order',
  (t) => ({
    ...origin(t),
    vault: t.hex().notNull(),
    queue: t.hex().notNull(),
    orderIndex: t.bigint().notNull(),
    isSubmitted: t.boolean().notNull(),
    /** Who paid the shares. */
    userAddress: t.hex().notNull(),
    /** Who has the receipt, or had it last: it moves the right to the payout, and to cancel. */
    receiver: t.hex().notNull(),
    refundReceiver: t.hex().notNull(),
    wantAsset: t.hex().notNull(),
    offerAmount: t.bigint().notNull(),
    isSubmittedViaSignature: t.boolean().notNull(),
    isMarkedForRefund: t.boolean().notNull(),
    isMarkedForRefundByUser: t.boolean().notNull(),
    isPaid: t.boolean().notNull(),
    isForceProcessed: t.boolean().notNull(),
    /** Its shares were sent back, or to the recovery address where that failed. */
    isRefunded: t.boolean().notNull(),
    didFailTransfer: t.boolean().notNull(),
    didFailRefund: t.boolean().notNull(),
    /** Shares; null until it is paid. */
    feeAmount: t.bigint(),
    /** Base units of the want asset; null until it is paid. */
    assetsOut: t.bigint(),
    paidAt: t.int8({ mode: 'bigint' }),
    lastBlockNumber: t.int8({ mode: 'bigint' }).notNull(),
    lastBlockTimestamp: t.int8({ mode: 'bigint' }).notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.queue, table.orderIndex] }) }),
)

/** What of an asset a queue's orders ask for that wait and are not to be refunded. */
export const withdrawDemand = onchainTable(
  'withdraw_demand',
  (t) => ({
    chainId: t.integer().notNull(),
    queue: t.hex().notNull(),
    asset: t.hex().notNull(),
    orderCount: t.integer().notNull(),
    shares: t.bigint().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.chainId, table.queue, table.asset] }) }),
)

/** What happened to a queue's orders, event by event. */
export const withdrawOrderEvent = onchainTable(
  'withdraw_order_event',
  (t) => ({
    ...origin(t),
    vault: t.hex().notNull(),
    queue: t.hex().notNull(),
    orderIndex: t.bigint().notNull(),
    /** The event's name in `abis/withdrawQueue.ts`. */
    name: t.text().notNull(),
    /** Of OrdersProcessedInRange, whose first is `orderIndex`. */
    lastOrderIndex: t.bigint(),
    /** Of Transfer: who holds the receipt from then on. */
    holder: t.hex(),
  }),
  (table) => logKey(table),
)
