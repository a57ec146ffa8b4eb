-- Up Migration

-- What is read of the index over all builds, before any is served. Nothing in `read` is lost with it: it follows from the builds.
create function app.begin_empty_index() returns void language plpgsql as $$ begin
  create schema if not exists read;
  -- The head of each chain of each build (db/transitSides.ts). It changes with every block.
  create table if not exists read.index_head (
    build integer primary key,
    block_number bigint not null,
    block_hash text not null,
    block_timestamp bigint not null,
    last_change_hash text not null,
    is_ready boolean not null
  ) with (fillfactor = 20);
  -- Both sides of every Transit order of every build (db/transitSides.ts).
  create table if not exists read.transit_side (
    order_id bytea not null,
    is_source boolean not null,
    build integer not null,
    chain_id integer not null,
    -- Unix seconds of the first log.
    created_at bigint not null,
    -- Null on the destination, as the next two.
    user_address bytea,
    receiver bytea,
    distributor_code bytea,
    -- All that have a log of the order on this chain.
    transactions bytea[] not null,
    -- The row of the build; large numbers as text.
    facts json not null,
    primary key (order_id, is_source, build)
  );
  create index if not exists transit_side_user on read.transit_side (user_address, created_at desc, order_id desc)
    where is_source;
  create index if not exists transit_side_receiver on read.transit_side (receiver, created_at desc, order_id desc)
    where is_source;
  create index if not exists transit_side_code on read.transit_side (distributor_code, created_at desc, order_id desc)
    where is_source;
  create index if not exists transit_side_transaction on read.transit_side using gin (transactions)
    with (fastupdate = off);
  if to_regclass('read.chain_progress') is null then
    create view read.chain_progress as
      select b.id as build, b.chain_id, h.block_number, h.block_hash, h.block_timestamp, h.last_change_hash, h.is_ready,
        greatest(h.block_number - b.finality_depth, 0) as finalized_block, w.block_number as high_water
      from app.index_build b join read.index_head h on h.build = b.id
      left join app.index_high_water w on w.chain_id = b.chain_id
      where b.state = 'served';
  end if;
end $$;
select app.begin_empty_index();

alter table app.index_build drop column ready_at;

-- Down Migration
alter table app.index_build add column ready_at timestamptz;
drop function app.begin_empty_index();
