-- Up Migration

-- What of an index stands where, before there is any; the first build replaces it.
create schema if not exists read;
do $$ begin
  if to_regclass('read.chain_progress') is null then
    create view read.chain_progress as
      select null::integer as chain_id, null::bigint as block_number, null::text as block_hash,
        null::bigint as block_timestamp, false as is_ready, null::integer as finality_depth,
        null::bigint as finalized_block, null::bigint as high_water
      where false;
  end if;
end $$;

alter table app.index_build drop column ready_at;

-- Down Migration
alter table app.index_build add column ready_at timestamptz;
