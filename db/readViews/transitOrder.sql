-- One row per Transit order, joined over its two chains at read time; nothing is stored about an
-- order as a whole, so any interleaving, reorganisation or restart of the chains gives the same row.
-- Read it by id (a constant, or a lateral parameter): both branches then use primary keys.
create view read.transit_order as
select
  o.id,
  o.source_chain_id,
  o.destination_chain_id,
  o.offer_asset,
  o.want_asset,
  o.offer_amount,
  b.offer_amount_normalized18,
  -- Null until the destination has received the order: the terms then say what will be owed.
  f.amount_due,
  f.remaining as remaining_amount_due,
  o.user_address,
  o.receiver,
  o.distributor_code,
  coalesce(f.queued_at, 0) as receive_time,
  case
    when f.is_removed then 'REMOVED'
    when f.is_executed then 'PROCESSED'
    when f.order_id is not null then 'PROCESSING'
    when t.block_number is not null then 'REMOVED'
    else 'PENDING_BRIDGE'
  end as status,
  coalesce(o.submitted_at, f.block_timestamp) as created_at,
  greatest(o.submitted_at, f.last_block_timestamp, t.block_timestamp) as updated_at,
  coalesce(
    o.submitted_block <= s.finalized_block
      and (f.order_id is null or f.last_block_number <= d.finalized_block)
      and (t.block_number is null or t.block_number <= d.finalized_block),
    false
  ) as finalized,
  (
    select coalesce(
      json_agg(
        json_build_object(
          'chainId', e.chain_id,
          'transactionHash', e.transaction_hash,
          'logIndex', e.log_index,
          'timestamp', e.block_timestamp,
          'amount', e.amount::text,
          'remaining', e.remaining::text
        )
        order by e.block_number, e.log_index
      ),
      '[]'
    )
    from read.transit_execution e
    where e.chain_id = o.destination_chain_id and e.order_id = o.id
  ) as executions,
  (
    select coalesce(
      json_agg(
        json_build_object(
          'chainId', r.chain_id,
          'transactionHash', r.transaction_hash,
          'logIndex', r.log_index,
          'timestamp', r.block_timestamp
        )
        order by r.block_number, r.log_index
      ),
      '[]'
    )
    from read.transit_removal r
    where r.chain_id = o.destination_chain_id and r.order_id = o.id
  ) as removals
from (
  select
    s.order_id as id,
    s.chain_id as source_chain_id,
    -- 0 for an endpoint id that the address book does not know: nothing can be joined there.
    coalesce(c.chain_id, 0) as destination_chain_id,
    s.offer_asset,
    s.want_asset,
    s.offer_amount,
    s.user_address,
    s.receiver,
    s.distributor_code,
    s.block_number as submitted_block,
    s.block_timestamp as submitted_at
  from read.transit_submission s
  left join read.chain c on c.eid = s.destination_eid
  union all
  -- Received before its submission was indexed: the destination's side alone.
  select
    f.order_id,
    coalesce(c.chain_id, 0),
    f.chain_id,
    f.offer_asset,
    f.want_asset,
    null,
    null,
    f.receiver,
    null,
    null,
    null
  from read.transit_fill f
  left join read.chain c on c.eid = f.source_eid
  where not exists (
    select from read.transit_submission s
    where s.order_id = f.order_id and s.chain_id = coalesce(c.chain_id, f.chain_id)
  )
) o
left join read.transit_fill f on f.order_id = o.id and f.chain_id = o.destination_chain_id
left join read.transit_bridging b on b.order_id = o.id and b.chain_id = o.source_chain_id
-- A tombstone bars what has not arrived; on an order that has, it changes nothing.
left join lateral (
  select min(t.block_number) as block_number, min(t.block_timestamp) as block_timestamp
  from read.transit_tombstone t
  where f.order_id is null
    and t.order_id = o.id
    and t.chain_id = o.destination_chain_id
) t on true
left join read.chain_progress s on s.chain_id = o.source_chain_id
left join read.chain_progress d on d.chain_id = o.destination_chain_id
