-- One row per Transit order, joined over its two chains at read time. Nothing is stored about an order
-- as a whole, so any interleaving, reorganisation or restart of the chains gives the same row.
--
-- Read it by id alone, as a constant or as the parameter of a lateral subquery with `offset 0`: only
-- then does the id reach the primary keys of both sides. Without `offset 0` Postgres turns the subquery
-- into a join over whole tables: 24 s for one order of a million.
--
-- `@source.` and `@destination.` stand for the tables of all chains, or of one: transitOrderSelect.ts.
--
-- A column is computed only when it is selected. Scalar subqueries instead of joins keep the plan short:
-- half of the time of one order is the start of the plan.
select
  id,
  -- 0 for an endpoint id that is not in the address book: then no chain can be joined.
  coalesce(s.chain_id, sc.chain_id, 0) as source_chain_id,
  destination_chain_id,
  coalesce(s.offer_asset, d.offer_asset) as offer_asset,
  coalesce(s.want_asset, d.want_asset) as want_asset,
  s.offer_amount,
  -- Null until the destination has received the order. Until then the bridged amount gives the amount
  -- that will be due.
  d.amount_due,
  d.remaining as remaining_amount_due,
  s.user_address,
  coalesce(s.receiver, d.receiver) as receiver,
  s.distributor_code,
  s.protocol_fee,
  s.integrator_fee,
  s.integrator_fee_receiver,
  -- No time that a client could read is later.
  (case when s.deadline > 9007199254740991 then 9007199254740991 else s.deadline end)::bigint as deadline,
  coalesce(d.queued_at, 0) as receive_time,
  read.transit_order_status(d.is_removed, d.is_executed, t.block_number is not null) as status,
  coalesce(s.block_timestamp, d.block_timestamp) as created_at,
  greatest(s.block_timestamp, d.last_block_timestamp, t.block_timestamp) as updated_at,
  (
    select p.finalized_block from @source.chain_finality p where p.chain_id = s.chain_id
  ) as source_finalized_block,
  (
    select p.finalized_block from @destination.chain_finality p where p.chain_id = destination_chain_id
  ) as destination_finalized_block,
  -- This column and the next are read only by apis of the version before, which still run while the indexers
  -- of this one take over. The next change of this view removes them.
  coalesce(
    s.block_number <= (
      select p.finalized_block from @source.chain_finality p where p.chain_id = s.chain_id
    )
      and coalesce(
        greatest(d.last_block_number, t.block_number) <= (
          select p.finalized_block from @destination.chain_finality p where p.chain_id = destination_chain_id
        ),
        d.order_id is null and t.block_number is null
      ),
    false
  ) as finalized,
  case when d.order_id is null then (
    select b.offer_amount_normalized18
    from @source.transit_bridging b
    where b.chain_id = s.chain_id and b.order_id = s.order_id
  ) end as offer_amount_normalized18,
  case when s.order_id is not null then json_build_object(
    'chainId', s.chain_id,
    'transactionHash', s.transaction_hash,
    'blockNumber', s.block_number,
    'timestamp', s.block_timestamp
  ) end as submission,
  case when s.chain_id <> destination_chain_id then (
    select json_build_object(
      'chainId', b.chain_id,
      'transactionHash', b.transaction_hash,
      'blockNumber', b.block_number,
      'timestamp', b.block_timestamp,
      'guid', b.guid,
      'offerAmountNormalized18', b.offer_amount_normalized18::text
    )
    from @source.transit_bridging b
    where b.chain_id = s.chain_id and b.order_id = s.order_id
  ) end as bridging,
  case when d.order_id is not null then json_build_object(
    'chainId', d.chain_id,
    'transactionHash', d.transaction_hash,
    'blockNumber', d.block_number,
    'timestamp', d.block_timestamp,
    'guid', d.guid
  ) end as delivery,
  case when t.block_number is not null then json_build_object(
    'chainId', destination_chain_id,
    'transactionHash', t.transaction_hash,
    'blockNumber', t.block_number,
    'timestamp', t.block_timestamp
  ) end as tombstone,
  (
    select coalesce(
      json_agg(
        json_build_object(
          'chainId', e.chain_id,
          'transactionHash', e.transaction_hash,
          'blockNumber', e.block_number,
          'logIndex', e.log_index,
          'timestamp', e.block_timestamp,
          'amount', e.amount::text,
          'remaining', e.remaining::text
        )
        order by e.block_number, e.log_index
      ),
      '[]'
    )
    from @destination.transit_execution e
    where e.chain_id = destination_chain_id and e.order_id = id
  ) as executions,
  (
    select coalesce(
      json_agg(
        json_build_object(
          'chainId', r.chain_id,
          'transactionHash', r.transaction_hash,
          'blockNumber', r.block_number,
          'logIndex', r.log_index,
          'timestamp', r.block_timestamp,
          'remaining', r.amount_due::text
        )
        order by r.block_number, r.log_index
      ),
      '[]'
    )
    from @destination.transit_removal r
    where r.chain_id = destination_chain_id and r.order_id = id
  ) as removals
from (
  select s.*, s.order_id as id, coalesce(c.chain_id, 0) as destination_chain_id
  from @source.transit_submission s
  left join read.chain c on c.eid = s.destination_eid
) s
-- A full join, since a delivery can be indexed before its submission: then it is the destination's side alone.
full join (
  select d.*, d.order_id as id, d.chain_id as destination_chain_id from @destination.transit_delivery d
) d using (id, destination_chain_id)
left join read.chain sc on sc.eid = d.source_eid
-- A tombstone removes an order that has not arrived. It does not change one that has.
left join lateral (
  select t.block_number, t.block_timestamp, t.transaction_hash
  from @destination.transit_tombstone t
  where d.order_id is null
    and t.order_id = id
    and t.chain_id = destination_chain_id
  order by t.block_number, t.log_index
  limit 1
) t on true
