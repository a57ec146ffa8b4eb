import { onchainTable, primaryKey } from 'ponder'
import { logKey, origin } from './origin.ts'

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
