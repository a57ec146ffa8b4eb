-- The columns by which lists filter orders, for orders whose submission is indexed: a twentieth of the
-- cost of the whole order. Read it by id and chain in a lateral subquery with `offset 0`.
create view read.transit_order_outline as
select
  s.order_id as id,
  s.chain_id as source_chain_id,
  coalesce(c.chain_id, 0) as destination_chain_id,
  s.offer_asset,
  s.want_asset,
  s.user_address,
  s.receiver,
  s.distributor_code,
  read.transit_order_status(d.is_removed, d.is_executed, t.chain_id is not null) as status
from read.transit_submission s
left join read.chain c on c.eid = s.destination_eid
left join lateral (
  select d.is_removed, d.is_executed
  from read.transit_delivery d
  where d.order_id = s.order_id and d.chain_id = c.chain_id
  limit 1
) d on true
left join lateral (
  select t.chain_id
  from read.transit_tombstone t
  where d.is_removed is null and t.order_id = s.order_id and t.chain_id = c.chain_id
  limit 1
) t on true
