import type { Sql } from 'postgres'
import { createKeptReads, type ReadStore } from '../cache/keptReads.ts'

/** The time of a chain's keeper from a payment to its deposit, in which nine of ten payments end; milliseconds, null without any. */
export type KeeperLatencies = { p90(chainId: number): Promise<number | null> }

const LIFE_MS = 10_000
/** In the text: a plan for any limit would read all deposits. */
const SAMPLE = '100'

export function createKeeperLatencies(sql: Sql, store: ReadStore): KeeperLatencies {
  const kept = createKeptReads(
    store,
    { name: 'keeper_latencies', keyOf: String, lifeMs: LIFE_MS },
    (chainId: number) => readP90(sql, chainId),
  )
  return { p90: kept.get }
}

async function readP90(sql: Sql, chainId: number): Promise<number | null> {
  const [row] = await sql<{ ms: number | null }[]>`
    select percentile_disc(0.9) within group (order by ms)::double precision as ms from (
      select extract(epoch from confirmed.at - d.created_at) * 1000 as ms
      from (
        select deposit_id, chain_id, address, created_at from app.smart_deposit
        where chain_id = ${chainId} and minted_amount is not null
        order by created_at desc limit ${sql.unsafe(SAMPLE)}
      ) d cross join lateral (
        select min((told ->> 'timestamp')::timestamptz) as at
        from app.smart_deposit_registration g
        join app.smart_deposit_report r using (organization_id)
        cross join jsonb_array_elements(r.timeline) told
        where g.chain_id = d.chain_id and g.address = d.address and r.deposit_id = d.deposit_id
          and told ->> 'type' = 'smart_deposit.deposit.confirmed'
      ) confirmed
    ) newest`
  return row?.ms ?? null
}
