import type { Sql } from 'postgres'
import type { OracleOrder } from './transitOracle.ts'

export type OrderSnapshot = {
  /** The block that each chain that is ready names. */
  heads: Record<number, number>
  rows: OracleOrder[]
}

/** All rows of `read.transit_order` and the blocks that they are of, in one snapshot. */
export async function readOrderRows(sql: Sql): Promise<OrderSnapshot> {
  const [heads, rows] = await sql.begin('isolation level repeatable read read only', (read) => [
    read<{ chain_id: number; block_number: bigint | null }[]>`
      select chain_id, block_number from read.chain_progress where is_ready`,
    read`select * from read.transit_order`,
  ])
  return {
    heads: Object.fromEntries(
      heads.map(({ chain_id, block_number }) => [chain_id, Number(block_number ?? -1)]),
    ),
    rows: rows.map(comparable),
  }
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
