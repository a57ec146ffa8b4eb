import type { Sql, TransactionSql } from 'postgres'
import type { OracleOrder } from './transitOracle.ts'

/** The block that each chain names, of the chains that are ready. */
export type ReadHeads = Record<number, number>

export async function readHeads(sql: Sql | TransactionSql): Promise<ReadHeads> {
  const rows = await sql<{ chain_id: number; block_number: bigint }[]>`
    select chain_id, block_number from read.chain_progress where is_ready order by chain_id`
  return Object.fromEntries(rows.map((row) => [row.chain_id, Number(row.block_number)]))
}

/** All rows of `read.transit_order` and the blocks that they are of, in one snapshot. */
export function readOrderRows(sql: Sql): Promise<{ heads: ReadHeads; rows: OracleOrder[] }> {
  return sql.begin('isolation level repeatable read read only', async (read) => ({
    heads: await readHeads(read),
    rows: (await read`select * from read.transit_order`).map(comparable),
  }))
}

/** The rows of some ids, read as the service reads them. */
export async function readOrderRowsById(sql: Sql, ids: string[]): Promise<OracleOrder[]> {
  const rows = await sql`select * from read.transit_order where id = any(${ids})`
  return rows.map(comparable)
}

/** As the oracle spells a row: int8, which comes as bigint, in decimal text. */
function comparable(row: object): OracleOrder {
  return JSON.parse(
    JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
  )
}
