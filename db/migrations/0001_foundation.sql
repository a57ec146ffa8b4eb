-- Up Migration
create table app.organization (
  id uuid primary key default gen_random_uuid(),
  name text not null unique check (length(name) between 1 and 100),
  -- Tags the orders and deposits that its callers prepare without a code.
  default_distributor_code text check (default_distributor_code ~ '^0x[0-9a-f]{64}$'),
  slippage_bps integer not null default 50 check (slippage_bps between 0 and 10000),
  settle_on_submit boolean not null default false,
  rate_limit_tier text not null default 'standard',
  created_at timestamptz not null default now()
);

create table app.api_key (
  public_id text primary key,
  organization_id uuid not null references app.organization (id),
  name text not null default '',
  -- HMAC-SHA256 of the secret part; the clear key is shown once and kept nowhere.
  secret_hash bytea not null,
  permissions text[] not null default '{}',
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index on app.api_key (organization_id);

-- One row per chain of a build: the Postgres schema into which an indexer writes (docs/architecture.md).
create table app.index_build (
  -- The name of this chain's rows in the tables of `read`.
  id integer generated always as identity unique,
  postgres_schema text not null,
  chain_id integer not null,
  build_hash text not null,
  state text not null check (state in ('building', 'served', 'retired', 'failed')),
  created_at timestamptz not null default now(),
  ready_at timestamptz,
  served_at timestamptz,
  -- That of the address book with which the build was served.
  finality_depth integer,
  error text,
  primary key (postgres_schema, chain_id)
);
create unique index on app.index_build (chain_id) where state = 'served';

-- The newest block per chain that any api has answered from; no api answers from an older one after it.
create table app.index_high_water (
  chain_id integer primary key,
  block_number bigint not null,
  updated_at timestamptz not null default now()
);

-- Down Migration
drop table app.index_high_water, app.index_build, app.api_key, app.organization;
