import type { ISql } from 'postgres'
import type { SnapshotTable } from './manifest.ts'

/** The columns of a table of Ponder's cache, quoted, in an order that does not depend on its history. */
export async function columnsOf(sql: ISql, table: SnapshotTable): Promise<string[]> {
  const rows = await sql<{ column: string }[]>`
    select quote_ident(column_name) as column from information_schema.columns
    where table_schema = 'ponder_sync' and table_name = ${table} order by column_name collate "C"`
  return rows.map(({ column }) => column)
}

/** The ids of intervals that a snapshot can hold: logs of an address and a topic, without transaction receipts; blocks. */
export function fragmentForm(chainId: number): string {
  const hex = (digits: number) => `0x[0-9a-f]{${digits}}`
  return `^(log_${chainId}_${hex(40)}_${hex(64)}_null_null_null_0|block_${chainId}_\\d+_\\d+)$`
}
