import type { Sql } from 'postgres'
import type { Address } from 'viem'
import type { IndexProgress } from '../../index/indexProgress.ts'

/** The terms on which a queue pays one asset for shares. Amounts are base units. */
export type PayoutTerms = {
  chainId: number
  queue: Address
  asset: Address
  /** The decimals of the shares. */
  decimals: number
  /** Base units of the asset per whole share; more than 0. */
  rateInQuote: bigint
  /** The flat part is in the asset. */
  fee: { bps: bigint; flat: bigint }
  /** The vault's balance of the asset. */
  balance: bigint
  /** Whether the queue is held up by a request for the asset: then its demand is there whatever the balance is. */
  isBlocked: boolean
}

/** The sum of the requests that a queue has to pay in an asset; `position` is that of its terms. */
export type PendingDemand = {
  position: number
  orderCount: number
  shares: bigint
  assets: bigint
}

type Row = {
  progress: IndexProgress[]
  position: bigint | null
  order_count: bigint
  shares: string
  assets: string
}

const ALL_BPS = 10_000n

/**
 * The first `most` of the terms whose balance is too small for the waiting requests that are not marked
 * for refund, or which are blocked, with the progress of every chain at the same moment, in one statement. Each payout is
 * floored, like the queue does. Single requests are read only if the queue's shares together are worth
 * more than the balance, one entry of the terms after the other, until the limit is reached.
 */
export async function selectUnpayable(
  sql: Sql,
  terms: PayoutTerms[],
  most: number,
): Promise<{ progress: IndexProgress[]; demands: PendingDemand[] }> {
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
        ${terms.map(({ decimals }) => String(oneShare(decimals)))}::numeric[],
        ${terms.map(({ balance }) => String(balance))}::numeric[],
        ${terms.map(({ isBlocked }) => Number(isBlocked))}::integer[]
      ) with ordinality
        t (chain_id, queue, asset, bps, flat_shares, rate, one_share, balance, is_blocked, position)
    ), unpayable as (
      select t.position, demand.* from (
        select t.* from term t cross join lateral (
          select d.shares from read.withdrawal_demand d
          where d.chain_id = t.chain_id and d.queue = t.queue and d.asset = t.asset offset 0
        ) d
        where t.is_blocked = 1 or div(d.shares * t.rate, t.one_share) > t.balance
        order by t.position offset 0
      ) t cross join lateral (
        select count(*) as order_count, sum(w.offer_amount) as shares,
          -- A request smaller than its fee is refunded.
          sum(div(greatest(w.offer_amount - f.fee, 0) * t.rate, t.one_share)) as assets
        from read.waiting_withdrawal w cross join lateral (
          select div(
            w.offer_amount * t.bps + ${String(ALL_BPS - 1n)}::numeric, ${String(ALL_BPS)}::numeric
          ) + t.flat_shares as fee
        ) f
        where w.chain_id = t.chain_id and w.queue = t.queue and w.want_asset = t.asset
          and not w.is_marked_for_refund
      ) demand
      where demand.order_count > 0 and (t.is_blocked = 1 or demand.assets > t.balance)
      order by t.position limit ${most}
    )
    select progress.progress, unpayable.* from progress left join unpayable on true
    order by position`
  return { progress: rows[0]?.progress ?? [], demands: rows.flatMap((row) => toDemand(row) ?? []) }
}

function toDemand({ position, order_count, shares, assets }: Row): PendingDemand | null {
  if (position === null) return null
  return {
    position: Number(position) - 1,
    orderCount: Number(order_count),
    shares: BigInt(shares),
    assets: BigInt(assets),
  }
}

/** The flat fee in shares, rounded up, like the fee module computes it. */
function flatShares({ fee, rateInQuote, decimals }: PayoutTerms): bigint {
  return (fee.flat * oneShare(decimals) + rateInQuote - 1n) / rateInQuote
}

function oneShare(decimals: number): bigint {
  return 10n ** BigInt(decimals)
}
