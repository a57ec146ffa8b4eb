import { onchainTable, primaryKey } from 'ponder'
import { logKey, origin } from './origin.ts'

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
    /** The vault's shares at this event. */
    supply: t.bigint().notNull(),
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
