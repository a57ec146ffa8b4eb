-- Orders over chains 1 and 4663 with their outcomes, newest last, the same at every run. chainFacts.ts
-- makes the facts of each chain from them; seedOrders.ts replaces ORDER_COUNT.
create unlogged table bench_seed.seed_order as
with drawn as (
  select i,
    '0x' || encode(sha256(i::text::bytea), 'hex') as id,
    -- Four numbers in [0, 1) from one digest.
    ('x' || substr(d, 1, 8))::bit(32)::bigint / 4294967296.0::float8 as by_kind,
    ('x' || substr(d, 9, 8))::bit(32)::bigint / 4294967296.0::float8 as by_user,
    ('x' || substr(d, 17, 8))::bit(32)::bigint / 4294967296.0::float8 as by_outcome,
    ('x' || substr(d, 25, 8))::bit(32)::bigint / 4294967296.0::float8 as by_part
  from generate_series(1, ORDER_COUNT) i, lateral (select md5(i::text) as d) digest
), placed as (
  select *,
    case when by_kind < 0.55 then 1 else 4663 end as source,
    case when by_kind < 0.45 or by_kind >= 0.85 then 4663 else 1 end as destination,
    -- User 0 has every 27th order; few of the others have thousands, and most have one or two.
    case when i % 27 = 0 and i / 27 <= 37000 then 0 else 1 + floor(200000 * by_user * by_user)::integer end
      as user_number,
    -- Three orders share a second, so that pages end between equals.
    1735689600 + 30 * (i - i % 3) as submitted_at
  from drawn
), decided as (
  select *,
    (1 + floor(by_part * 1000))::bigint * 1000000 as amount,
    -- The time of the delivery: at once on one chain, minutes later over two.
    submitted_at + case when source = destination then 0 else 60 + floor(by_user * 240)::integer end
      as queued_at,
    case
      when source <> destination and i > ORDER_COUNT - 300 then 'PENDING_BRIDGE'
      when source <> destination and by_outcome < 0.0005 then 'BARRED'
      when by_outcome < 0.004 then 'REMOVED'
      when by_outcome < 0.012 or i > ORDER_COUNT - 300 then 'PROCESSING'
      else 'PROCESSED'
    end as outcome,
    -- The number of executions of the whole order.
    case when by_part < 0.8 then 1 when by_part < 0.95 then 2 else 3 end as parts
  from placed
)
select i, id, source, destination, submitted_at,
  -- Half of the orders have no distributor code, the others one of forty.
  '0x' || case
    when by_part < 0.5 then repeat('00', 32)
    else encode(sha256(('code' || floor(by_user * 40))::bytea), 'hex')
  end as distributor_code, amount, queued_at, outcome, parts,
  '0x' || substr(encode(sha256(('user' || user_number)::bytea), 'hex'), 1, 40) as user_address,
  '0x' || substr(encode(sha256((case
    when by_part < 0.75 then 'user' || user_number
    else 'receiver' || floor(by_part * 400000)
  end)::bytea), 'hex'), 1, 40) as receiver,
  case when outcome = 'PROCESSED' then parts else parts - 1 end as delivered,
  queued_at + case outcome when 'PROCESSED' then 30 * parts when 'REMOVED' then 3600 else 0 end
    as last_at
from decided
