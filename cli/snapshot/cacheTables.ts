import type { ISql } from 'postgres'
import type { Manifest, SnapshotTable } from './manifest.ts'

/** The columns of a table of Ponder's cache, quoted, in an order that does not depend on its history. */
export async function columnsOf(sql: ISql, table: SnapshotTable): Promise<string[]> {
  const rows = await sql<{ column: string }[]>`
    select quote_ident(column_name) as column from information_schema.columns
    where table_schema = 'ponder_sync' and table_name = ${table} order by column_name collate "C"`
  return rows.map(({ column }) => column)
}

/**
 * The id of an interval of a chain that a snapshot cannot hold, if there is one. It can hold those of logs of an address and a
 * topic, without transaction receipts, and of blocks.
 */
export async function findForeignInterval(sql: ISql, chainId: number): Promise<string | undefined> {
  const hex = (digits: number) => `0x[0-9a-f]{${digits}}`
  const form = `^(log_${chainId}_${hex(40)}_${hex(64)}_null_null_null_0|block_${chainId}_\\d+_\\d+)$`
  const [other] = await sql<{ id: string }[]>`
    select fragment_id as id from ponder_sync.intervals
    where chain_id = ${chainId} and fragment_id !~ ${form} limit 1`
  return other?.id
}

/** The newest block of a chain in the cache; null without one. */
export async function readNewest(sql: ISql, chainId: number): Promise<Manifest['block'] | null> {
  const [row] = await sql<{ number: string; hash: `0x${string}`; timestamp: string }[]>`
    select number::text, hash, timestamp::text from ponder_sync.blocks
    where chain_id = ${chainId} order by blocks.number desc limit 1`
  return row
    ? { number: Number(row.number), hash: row.hash, timestamp: Number(row.timestamp) }
    : null
}
