import type { Fragment, Sql } from 'postgres'
import type { SeriesFacts } from './selectSeries.ts'

export type GrowthRow = {
  windowSeconds: bigint
  startRate: string | null
  startBlock: bigint | null
  endRate: string | null
  endBlock: bigint | null
}

/**
 * The rates at both ends of the window before each place `l`. The growth of a vault younger than the window
 * (seconds) is measured from its first second. The rate at the start is that of the last full hour before
 * it, unless it was changed between the two.
 */
export function growthFacts(window: (sql: Sql) => Fragment): SeriesFacts {
  return (sql) => ({
    columns: sql`
      w.seconds as "windowSeconds",
      coalesce(u.rate, s.rate, l.opening_rate) as "startRate",
      coalesce(u.rate_block, s.rate_block) as "startBlock",
      coalesce(e.rate, l.opening_rate) as "endRate", e.rate_block as "endBlock"`,
    joins: sql`
      cross join lateral (
        select least(l.at - l.first_timestamp, ${window(sql)}) as seconds
      ) w
      cross join lateral (
        select l.at - w.seconds as start, (l.at - w.seconds) / 3600 * 3600 as hour
      ) h
      left join lateral (
        select * from read.vault_at(l.chain_id, l.vault, l.at) offset 0
      ) e on true
      left join lateral (
        select * from read.vault_at(l.chain_id, l.vault, h.hour) offset 0
      ) s on true
      left join lateral (
        select r.new_rate as rate, r.block_number as rate_block from read.exchange_rate r
        where r.chain_id = l.chain_id and r.vault = l.vault and r.is_in_use
          and r.block_timestamp > h.hour and r.block_timestamp <= h.start
        order by r.block_number desc, r.log_index desc limit 1
      ) u on true`,
  })
}
