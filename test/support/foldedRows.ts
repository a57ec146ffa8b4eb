import type { VaultEvent } from './vaultLogs.ts'

/** A row as Postgres spells it: int8 and numeric as decimal text. */
export type FoldedRow = Record<string, string | number | boolean | null>
/** Rows by table and key. */
export type FoldedTables = Record<string, Map<string, FoldedRow>>

/** All tables of `ponder.schema.ts` with rows about vaults. */
export const TABLES = [
  'vault_state',
  'vault_hour',
  'share_transfer',
  'share_balance',
  'last_share_transfer',
  'vault_activity',
  'vault_entry',
  'exchange_rate',
  'accountant_accrual',
  'vault_pause',
  'supply_cap',
  'fee_data',
  'fee_module_change',
  'vault_deposit',
  'teller_deposit',
  'bulk_withdrawal',
  'vault_exit',
  'withdrawal',
  'withdrawal_period',
  'withdrawal_request',
  'withdrawal_request_event',
  'withdrawal_demand',
] as const

export const NOBODY = `0x${'00'.repeat(20)}`

type Table = (typeof TABLES)[number]

/** The rows that a fold has made so far. */
export class FoldedRows {
  readonly #tables: FoldedTables = Object.fromEntries(TABLES.map((table) => [table, new Map()]))

  get tables(): FoldedTables {
    return this.#tables
  }

  get(table: Table, key: unknown[]): FoldedRow | undefined {
    return this.#tables[table]?.get(key.join(' '))
  }

  all(table: Table): FoldedRow[] {
    return [...(this.#tables[table]?.values() ?? [])]
  }

  put(table: Table, key: unknown[], row: FoldedRow) {
    this.#tables[table]?.set(key.join(' '), row)
  }

  /** Adds the row of one event. */
  fact(table: Table, event: VaultEvent, row: FoldedRow) {
    this.put(table, [event.chainId, event.transactionHash, event.logIndex], {
      ...originOf(event),
      ...row,
    })
  }
}

export function originOf(event: VaultEvent): FoldedRow {
  const { chainId, blockNumber, blockHash, blockTimestamp, transactionHash, logIndex } = event
  return {
    chain_id: chainId,
    block_number: String(blockNumber),
    block_hash: blockHash,
    block_timestamp: String(blockTimestamp),
    transaction_hash: transactionHash,
    log_index: logIndex,
  }
}

export function text(value: unknown): string {
  return String(value)
}

export function textOrNull(value: unknown): string | null {
  return value === undefined || value === null ? null : String(value)
}
