-- Up Migration
alter table app.smart_deposit
  -- Too little to be settled alone: settled together with others of its address.
  add column is_small boolean not null default false,
  -- An operator wants it settled, however little it is.
  add column is_ordered boolean not null default false,
  -- The id under which it is settled together with others: that of the first of them.
  add column collected_as text check (collected_as ~ '^0x[0-9a-f]{64}$');
create index on app.smart_deposit (chain_id, address) where is_small and status in ('pending', 'retrying');
create index on app.smart_deposit (collected_as) where collected_as is not null;

-- Down Migration
alter table app.smart_deposit drop column is_small, drop column is_ordered, drop column collected_as;
