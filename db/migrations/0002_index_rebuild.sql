-- Up Migration

-- The number of rebuilds ordered for a chain: part of the name of its builds.
create table app.index_rebuild (
  chain_id integer primary key,
  generation integer not null,
  reason text not null,
  ordered_at timestamptz not null default now()
);

-- Down Migration
drop table app.index_rebuild;
