import type { Sql } from 'postgres'
import type { Address } from 'viem'
import type { IndexProgress } from '../chain/indexProgress.ts'

/** What a queue pays out for shares in one asset. Amounts are base units. */
export type PayoutTerms = {
  chainId: number
  queue: Address
  asset: Address
  /** Of the shares. */
  decimals: number
  /** Of the asset, per whole share; more than 0. */
  rateInQuote: bigint
  /** The flat part in the asset. */
  fee: { bps: bigint; flat: bigint }
}

/** What the orders of a queue that are to be paid in an asset come to. */
export type PendingDemand = { orderCount: number; shares: bigint; assets: bigint }

type Row = {
  progress: IndexProgress[]
  position: bigint | null
  order_count: bigint
  shares: string
  assets: string
}

const ALL_BPS = 10_000n

/**
 * What orders that wait and are not cancelled would be paid now, each floored as the queue does, with
 * the progress of every chain at that very moment: one statement. A demand for each of the terms, null
 * where nothing is asked for.
 */
export async function selectPendingDemand(
  sql: Sql,
  terms: PayoutTerms[],
): Promise<{ progress: IndexProgress[]; demands: (PendingDemand | null)[] }> {
  const rows = await sql<Row[]>`
    with progress as materialized (
      select coalesce(json_agg(c), '[]') as progress from read.chain_progress c
    ), term as materialized (
      select * from unnest(
        ${terms.map(({ chainId }) => chainId)}::integer[],
        ${terms.map(({ queue }) => queue)}::text[],
        ${terms.map(({ asset }) => asset)}::text[],
        ${terms.map(({ fee }) => String(fee.bps))}::numeric[],
        ${terms.map((term) => String(flatShares(term)))}::numeric[],
        ${terms.map(({ rateInQuote }) => String(rateInQuote))}::numeric[],
        ${terms.map(({ decimals }) => String(oneShare(decimals)))}::numeric[]
      ) with ordinality t (chain_id, queue, asset, bps, flat_shares, rate, one_share, position)
    ), waiting as (
      select w.* from (select distinct chain_id, queue from term) q cross join lateral (
        select * from read.waiting_withdrawal w
        where w.chain_id = q.chain_id and w.queue = q.queue and not w.is_marked_for_refund
        offset 0
      ) w
    ), demand as (
      select t.position, count(*) as order_count, sum(w.offer_amount) as shares,
        -- What does not pay its fee is refunded.
        sum(div(greatest(w.offer_amount - f.fee, 0) * t.rate, t.one_share)) as assets
      from waiting w
      join term t on t.chain_id = w.chain_id and t.queue = w.queue and t.asset = w.want_asset
      cross join lateral (
        select div(w.offer_amount * t.bps + ${String(ALL_BPS - 1n)}::numeric, ${String(ALL_BPS)}::numeric)
          + t.flat_shares as fee
      ) f
      group by t.position
    )
    select progress.progress, demand.* from progress left join demand on true`
  const demands = new Map(
    rows.flatMap(({ position, ...row }): [number, PendingDemand][] =>
      position === null ? [] : [[Number(position) - 1, toDemand(row)]],
    ),
  )
  return {
    progress: rows[0]?.progress ?? [],
    demands: terms.map((_, at) => demands.get(at) ?? null),
  }
}

function toDemand({ order_count, shares, assets }: Omit<Row, 'position'>): PendingDemand {
  return { orderCount: Number(order_count), shares: BigInt(shares), assets: BigInt(assets) }
}

/** The flat part as the fee module takes it of the shares, rounded up. */
function flatShares({ fee, rateInQuote, decimals }: PayoutTerms): bigint {
  return (fee.flat * oneShare(decimals) + rateInQuote - 1n) / rateInQuote
}

function oneShare(decimals: number): bigint {
  return 10n ** BigInt(decimals)
}
