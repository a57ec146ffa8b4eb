-- Up Migration
-- The block up to which a chain's facts are finalized and have their events.
create table app.feed_cursor (
  chain_id integer primary key,
  block_number bigint not null,
  updated_at timestamptz not null default now()
);

-- Facts above the cursor that have events, as they were in that block.
create table app.seen_fact (
  chain_id integer not null,
  block_hash text not null,
  transaction_hash text not null,
  log_index integer not null,
  block_number bigint not null,
  -- transit_order:<id>, withdrawal_request:<id>
  resource text not null,
  -- The values to which endpoints' filters apply.
  facts json not null,
  event_ids text[] not null,
  -- A reorganisation can remove it and bring it back: each time makes a new event.
  times integer not null default 1,
  is_retracted boolean not null default false,
  primary key (chain_id, block_hash, transaction_hash, log_index)
);
create index on app.seen_fact (chain_id, block_number);

-- Down Migration
drop table app.seen_fact, app.feed_cursor;
