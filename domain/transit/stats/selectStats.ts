import type { Address } from 'viem'
import { filterToSql } from '../../filter/filterToSql.ts'
import { headsColumn, headsInFirst, type RowWithHeads } from '../../index/indexHeads.ts'
import type { TransitContext } from '../transitContext.ts'
import { DAY, HOUR, type StatsQuery } from './statsQuery.ts'

/** numeric as text. A route without pending orders has zeros. */
export type StatsRow = RowWithHeads & {
  sourceChainId: number
  destinationChainId: number
  destinationEid: number
  offerAsset: Address
  wantAsset: Address
  startTime: number
  endTime: number
  orderCount: number
  offerVolume: string
  protocolFees: string
  deliveredVolume: string
  removedCount: number
  pendingCount: number
  /** Owed for orders that the destination has received. */
  pendingThere: string
  /** In 18 decimals, on the way between two chains. */
  pendingBetween: string
}

type Span = { seconds: number; after: number; until: number }

/** The rows from the first interval of a page up to a time; without any, one row of nulls. */
export function selectStats(
  context: Pick<TransitContext, 'sql' | 'adHocSql'>,
  query: StatsQuery & { chainIds: number[] },
): Promise<StatsRow[]> {
  const { filter, after, until, interval, cursor, pageSize } = query
  const sql = filter === null ? context.sql : context.adHocSql
  const spans = spansOf(query)
  const condition = filter
    ? filterToSql(sql, filter, {
        sourceChainId: sql`r.source_chain_id`,
        destinationChainId: sql`r.destination_chain_id`,
        offerAsset: sql`r.offer_asset`,
        wantAsset: sql`r.want_asset`,
      })
    : sql`true`
  const [cursorTime = null, ...cursorRoute] = cursor ?? []
  const [cursorSource = null, cursorDestination = null, cursorOffer = null, cursorWant = null] =
    cursorRoute
  const order = sql`
    s.start_time, s.source_chain_id, s.destination_chain_id, s.offer_asset, s.want_asset`
  return sql<StatsRow[]>`
    with progress as materialized (
      select ${sql.unsafe(headsColumn('c'))} as heads from read.chain_progress c
    ), asked as materialized (
      select chain_id from unnest(${query.chainIds}::integer[]) asked (chain_id)
    ), span as materialized (
      select * from unnest(
        ${spans.map(({ seconds }) => seconds)}::integer[],
        ${spans.map(({ after }) => after)}::bigint[], ${spans.map(({ until }) => until)}::bigint[]
      ) span (seconds, after, until)
      -- All time.
      union all select 0, -1, 0
    ), submitted as materialized (
      select s.chain_id as source_chain_id, c.chain_id as destination_chain_id, s.seconds,
        s.until as time, s.offer_asset, s.want_asset, s.order_count, s.offer_volume,
        s.protocol_fees, s.bridged_normalized18
      from asked cross join span cross join lateral (
        select * from read.transit_submission_period p
        where p.chain_id = asked.chain_id and p.seconds = span.seconds
          and p.until > span.after and p.until <= span.until
        -- Makes Postgres read each branch of the view by its index, and only the chains asked for.
        offset 0
      ) s
      join read.chain c on c.eid = s.destination_eid
    ), delivered as materialized (
      select case when d.source_eid = 0 then d.chain_id else c.chain_id end as source_chain_id,
        d.chain_id as destination_chain_id, d.seconds, d.until as time, d.offer_asset,
        d.want_asset, d.received_count, d.delivered_volume, d.removed_count,
        d.received_count - d.executed_count - d.removed_count as held_count,
        d.amount_due - d.delivered_volume - d.removed_amount as held, d.received_normalized18
      from asked cross join span cross join lateral (
        select * from read.transit_delivery_period p
        where p.chain_id = asked.chain_id and p.seconds = span.seconds
          and p.until > span.after and p.until <= span.until
        offset 0
      ) d
      left join read.chain c on c.eid = d.source_eid
      where d.source_eid = 0 or c.chain_id is not null
    ), tombstoned as materialized (
      -- Orders whose id was used on the destination before they arrived.
      select s.chain_id as source_chain_id, t.chain_id as destination_chain_id, t.time,
        s.offer_asset, s.want_asset, coalesce(s.bridged_normalized18, 0) as normalized18
      from asked cross join lateral (
        select t.chain_id, t.order_id, t.block_timestamp as time
        from read.transit_destination t
        where t.chain_id = asked.chain_id and t.amount_due is null
        offset 0
      ) t
      join read.chain d on d.chain_id = t.chain_id
      cross join read.chain o
      cross join lateral (
        select * from read.transit_source s
        where s.chain_id = o.chain_id and s.order_id = t.order_id and s.destination_eid = d.eid
        offset 0
      ) s
    ), change as (
      select source_chain_id, destination_chain_id, offer_asset, want_asset, seconds, time,
        order_count, offer_volume, protocol_fees, 0 as delivered_volume, 0 as removed_count,
        0 as held_count, 0 as held, order_count as sent_count, bridged_normalized18 as sent
      from submitted
      union all
      select source_chain_id, destination_chain_id, offer_asset, want_asset, seconds, time,
        0, 0, 0, delivered_volume, removed_count, held_count, held, -received_count,
        -received_normalized18
      from delivered
      union all
      select source_chain_id, destination_chain_id, offer_asset, want_asset, seconds, time,
        0, 0, 0, 0, 1, 0, 0, -1, -normalized18
      from tombstoned cross join (values (0), (1)) v (seconds)
      where seconds = 0 or (time > ${after} and time <= ${until})
    ), pending as (
      select source_chain_id, destination_chain_id, offer_asset, want_asset,
        -- The index of the destination can be ahead of that of the source.
        sum(held_count) + greatest(sum(sent_count), 0) as count, sum(held) as there,
        greatest(sum(sent), 0) as between
      from change where seconds = 0 group by 1, 2, 3, 4
    ), stats as (
      select r.source_chain_id, r.destination_chain_id, r.offer_asset, r.want_asset,
        -- Without an interval its end is null, and greatest and least skip null.
        greatest(${after}::bigint, interval_end - ${interval}::bigint) as start_time,
        least(${query.until}::bigint, interval_end) as end_time,
        sum(r.order_count) as order_count, sum(r.offer_volume) as offer_volume,
        sum(r.protocol_fees) as protocol_fees, sum(r.delivered_volume) as delivered_volume,
        sum(r.removed_count) as removed_count
      from change r cross join lateral (
        select (time + ${interval}::bigint - 1) / ${interval}::bigint * ${interval}::bigint
          as interval_end
      ) i
      where seconds > 0 and ${condition}
      group by 1, 2, 3, 4, interval_end
    )
    select ${headsInFirst(sql, order)}, s.source_chain_id as "sourceChainId",
      s.destination_chain_id as "destinationChainId", c.eid::double precision as "destinationEid",
      s.offer_asset as "offerAsset", s.want_asset as "wantAsset",
      s.start_time::double precision as "startTime", s.end_time::double precision as "endTime",
      s.order_count::double precision as "orderCount", s.offer_volume as "offerVolume",
      s.protocol_fees as "protocolFees", s.delivered_volume as "deliveredVolume",
      s.removed_count::double precision as "removedCount",
      p.count::double precision as "pendingCount", p.there as "pendingThere",
      p.between as "pendingBetween"
    from progress left join (
      select * from stats
      where ${cursorTime}::bigint is null
        or (start_time, source_chain_id, destination_chain_id, offer_asset, want_asset) >
          (${cursorTime}::bigint, ${cursorSource}::integer, ${cursorDestination}::integer,
            ${cursorOffer}::text, ${cursorWant}::text)
      order by start_time, source_chain_id, destination_chain_id, offer_asset, want_asset
      limit ${pageSize + 1}
    ) s on true
    left join pending p using (source_chain_id, destination_chain_id, offer_asset, want_asset)
    left join read.chain c on c.chain_id = s.destination_chain_id
    order by ${order}`
}

/** Sums of whole days where the interval is not cut by them, and of hours for the rest. */
function spansOf({
  after,
  until,
  interval,
}: Pick<StatsQuery, 'after' | 'until' | 'interval'>): Span[] {
  if (interval !== null && interval % DAY !== 0) return [{ seconds: HOUR, after, until }]
  const firstDay = Math.min(Math.ceil(after / DAY) * DAY, until)
  const lastDay = Math.max(Math.floor(until / DAY) * DAY, firstDay)
  return [
    { seconds: HOUR, after, until: firstDay },
    { seconds: DAY, after: firstDay, until: lastDay },
    { seconds: HOUR, after: lastDay, until },
  ]
}
