import type { BenchChain } from './benchChains.ts'

/** The sums of routes that the handlers keep, from the facts of one chain that are in the schema. */
export function routePeriods({ id }: BenchChain): ((postgresSchema: string) => string)[] {
  return [(schema) => submitted(schema, id), (schema) => delivered(schema, id)]
}

/** The periods of a time, as `periodEnd` makes them; all time has both as 0. */
const PERIODS = `cross join (values (0), (3600), (86400)) p (seconds)
  cross join lateral (
    select case p.seconds when 0 then 0
      else (f.block_timestamp + p.seconds - 1) / nullif(p.seconds, 0) * p.seconds end as until
  ) e`

function submitted(schema: string, id: number): string {
  return `
    insert into ${schema}.transit_submission_period (chain_id, seconds, until, destination_eid,
      offer_asset, want_asset, order_count, offer_volume, protocol_fees, bridged_normalized18)
    select ${id}, p.seconds, e.until, f.destination_eid, f.offer_asset, f.want_asset, count(*),
      sum(f.offer_amount), sum(f.protocol_fee), coalesce(sum(f.bridged_normalized18), 0)
    from ${schema}.transit_source f
    ${PERIODS}
    where f.chain_id = ${id} group by 2, 3, 4, 5, 6`
}

function delivered(schema: string, id: number): string {
  return `
    insert into ${schema}.transit_delivery_period (chain_id, seconds, until, source_eid,
      offer_asset, want_asset, received_count, received_normalized18, amount_due, executed_count,
      delivered_volume, removed_count, removed_amount)
    select ${id}, p.seconds, e.until, f.source_eid, f.offer_asset, f.want_asset, sum(f.received),
      sum(f.normalized18), sum(f.due), sum(f.executed), sum(f.paid), sum(f.removed), sum(f.lost)
    from (
      select d.block_timestamp, coalesce(d.source_eid, 0) as source_eid, d.offer_asset,
        d.want_asset, 1 as received,
        case when d.source_eid is null then 0 else d.amount_due * 1000000000000 end as normalized18,
        d.amount_due as due, 0 as executed, 0 as paid, 0 as removed, 0 as lost
      from ${schema}.transit_destination d where d.chain_id = ${id} and d.amount_due is not null
      union all
      select x.timestamp, coalesce(d.source_eid, 0), d.offer_asset, d.want_asset, 0, 0, 0,
        (x.remaining = '0')::integer, x.amount::numeric, 0, 0
      from ${schema}.transit_destination d
      cross join json_to_recordset(d.executions) x (timestamp bigint, remaining text, amount text)
      where d.chain_id = ${id}
      union all
      select r.timestamp, coalesce(d.source_eid, 0), d.offer_asset, d.want_asset, 0, 0, 0, 0, 0,
        1, r.remaining::numeric
      from ${schema}.transit_destination d
      cross join json_to_recordset(d.removals) r (timestamp bigint, remaining text)
      where d.chain_id = ${id}
    ) f
    ${PERIODS}
    group by 2, 3, 4, 5, 6`
}
