-- Up Migration
-- The URLs to which an organization's events are delivered.
create table app.webhook_endpoint (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references app.organization (id),
  url text not null check (length(url) <= 2048),
  description text not null default '' check (length(description) <= 200),
  -- Types of events; smart_deposit.* and * stand for all types that begin so.
  event_types text[] not null check (cardinality(event_types) between 1 and 50),
  -- Selects transit and withdrawal events; null selects those with the organization's distributor code.
  filter text,
  status text not null default 'enabled' check (status in ('enabled', 'disabled')),
  -- gone: the endpoint answered 410.
  disabled_reason text check (disabled_reason in ('gone', 'by_hand')),
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((status = 'disabled') = (disabled_reason is not null)),
  check ((status = 'disabled') = (disabled_at is not null))
);
create index on app.webhook_endpoint (organization_id, created_at, id);

-- The secrets that sign deliveries: every secret that has not expired signs.
create table app.webhook_secret (
  id bigint generated always as identity primary key,
  endpoint_id uuid not null references app.webhook_endpoint (id) on delete cascade,
  -- AES-256-GCM under a key of SECRETS_KEY, bound to its endpoint (domain/access/sealedSecret.ts).
  sealed bytea not null,
  created_at timestamptz not null default now(),
  -- Null for the newest.
  expires_at timestamptz
);
create unique index on app.webhook_secret (endpoint_id) where expires_at is null;
create index on app.webhook_secret (endpoint_id);

-- One row per event and endpoint that gets it, written with the event.
create table app.webhook_delivery (
  endpoint_id uuid not null references app.webhook_endpoint (id) on delete cascade,
  event_id text not null references app.event (id),
  organization_sequence bigint not null,
  resource text not null,
  resource_sequence integer not null,
  status text not null default 'waiting' check (status in ('waiting', 'delivered', 'dead')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  -- In the future while a worker sends it; in the past if that worker died.
  claimed_until timestamptz,
  last_attempt_at timestamptz,
  last_status integer,
  last_error text,
  delivered_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (endpoint_id, event_id)
) with (fillfactor = 85);
-- Finds the first waiting delivery of a resource.
create index webhook_delivery_waiting on app.webhook_delivery
  (endpoint_id, resource, resource_sequence) where status = 'waiting';
create index on app.webhook_delivery (endpoint_id, organization_sequence);
create index webhook_delivery_dead on app.webhook_delivery
  (endpoint_id, organization_sequence) where status = 'dead';

-- Down Migration
drop table app.webhook_delivery, app.webhook_secret, app.webhook_endpoint;
