import { onchainTable, primaryKey } from 'ponder'
import { logKey, origin } from './origin.ts'

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
