-- The status of an order by its facts. The delivery's flags are null where there is no delivery.
drop function if exists read.transit_order_status(boolean, boolean, boolean);
create function read.transit_order_status(is_removed boolean, is_executed boolean, is_barred boolean)
returns text language sql immutable parallel safe
return case
  when is_removed then 'REMOVED'
  when is_executed then 'PROCESSED'
  when is_removed is not null then 'PROCESSING'
  when is_barred then 'REMOVED'
  else 'PENDING_BRIDGE'
end
