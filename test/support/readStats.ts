import type { Sql } from 'postgres'
import { selectStats } from '../../domain/transit/stats/selectStats.ts'
import type { StatsRow } from './statsOracle.ts'

/** A row without what is not from sums; amounts that are pending in 18 decimals, as they were sent. */
export type SummedStats = Omit<StatsRow, 'latency'>

/** All rows of stats of the index by the service's own statement. Times are full hours. */
export async function readStats(
  sql: Sql,
  time: { after: number; until: number; interval: number | null; chainIds: number[] },
): Promise<SummedStats[]> {
  const list = { filter: null, cursor: null, pageSize: 1_000_000, binding: '' }
  const rows = await selectStats({ sql, adHocSql: sql }, { ...list, ...time })
  return rows
    .filter(({ offerAsset }) => offerAsset !== null)
    .map(
      ({ heads: _, destinationEid: __, pendingThere, pendingBetween, ...row }): SummedStats => ({
        ...row,
        pendingAmount: String(BigInt(pendingThere) + BigInt(pendingBetween)),
      }),
    )
}
