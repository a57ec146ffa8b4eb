-- Up Migration

-- An empty read.chain_progress while no build is served; the first served build replaces it.
create function app.begin_empty_index() returns void language plpgsql as $$ begin
  create schema if not exists read;
  if to_regclass('read.chain_progress') is null then
    create view read.chain_progress as
      select null::integer as chain_id, null::bigint as block_number, null::text as block_hash,
        null::bigint as block_timestamp, false as is_ready, null::integer as finality_depth,
        null::bigint as finalized_block, null::bigint as high_water
      where false;
  end if;
end $$;
select app.begin_empty_index();

alter table app.index_build drop column ready_at;

-- Down Migration
alter table app.index_build add column ready_at timestamptz;
drop function app.begin_empty_index();
