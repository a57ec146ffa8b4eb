import type { Sql } from 'postgres'
import { type FoldedRow, type FoldedTables, TABLES } from './foldedRows.ts'

type Progress = { chain_id: number; block_number: bigint; block_hash: string }

/** The key of a table's rows, if it is not the log. */
const KEYS: Record<string, string[]> = {
  vault_state: ['chain_id', 'vault'],
  vault_hour: ['chain_id', 'vault', 'hour'],
  share_balance: ['chain_id', 'vault', 'account'],
  vault_exit: ['chain_id', 'vault'],
  vault_entry: ['chain_id', 'vault'],
  last_share_transfer: ['chain_id', 'vault'],
  accountant_accrual: ['chain_id', 'accountant'],
  withdrawal_period: ['chain_id', 'vault', 'asset', 'seconds', 'until'],
  withdrawal_demand: ['chain_id', 'queue', 'asset'],
  withdrawal_request: ['chain_id', 'queue', 'order_index'],
}
const OF_A_LOG = ['chain_id', 'transaction_hash', 'log_index']

/** All rows of the vaults, with the blocks at which they were read, in one snapshot. */
export function readVaultTables(sql: Sql) {
  return sql.begin('isolation level repeatable read read only', async (read) => {
    const progress = await read<Progress[]>`
      select chain_id, block_number, block_hash from read.chain_progress
      where is_ready order by chain_id`
    const tables: FoldedTables = {}
    for (const table of TABLES) {
      const rows = await read`select * from ${read(`read.${table}`)}`
      tables[table] = new Map(
        rows.map((row) => [
          (KEYS[table] ?? OF_A_LOG).map((column) => row[column]).join(' '),
          comparable(row),
        ]),
      )
    }
    return {
      heads: Object.fromEntries(progress.map((row) => [row.chain_id, Number(row.block_number)])),
      hashes: Object.fromEntries(progress.map((row) => [row.chain_id, row.block_hash])),
      tables,
    }
  })
}

/** int8, which is read as bigint, in decimal text. */
function comparable(row: object): FoldedRow {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      typeof value === 'bigint' ? String(value) : value,
    ]),
  )
}
