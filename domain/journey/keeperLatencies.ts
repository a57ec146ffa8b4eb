import type { Sql } from 'postgres'
import { createKeptReads, type ReadStore } from '../cache/keptReads.ts'

/** The time of a chain's keeper from a payment to its deposit, in which nine of ten payments end; milliseconds, null without any. */
export type KeeperLatencies = { p90(chainId: number): Promise<number | null> }

const LIFE_MS = 10_000
const SAMPLE = 100

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
      select extract(epoch from min(e.created_at) - d.created_at) * 1000 as ms
      from app.smart_deposit d
      join app.event e on e.resource = 'smart_deposit:' || d.deposit_id
        and e.type = 'smart_deposit.deposit.confirmed'
      where d.chain_id = ${chainId} and d.minted_amount is not null
      group by d.deposit_id order by d.created_at desc limit ${SAMPLE}
    ) newest`
  return row?.ms ?? null
}
