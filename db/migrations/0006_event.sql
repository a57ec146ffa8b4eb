-- Up Migration
-- The newest number among an organization's events. Its row is locked while events are recorded, so that
-- numbers follow the order of commits: who reads what is after a number misses nothing.
create table app.event_sequence (
  organization_id uuid primary key references app.organization (id),
  last bigint not null
);

-- What an organization is told: written in the transaction that changes what it tells of.
create table app.event (
  -- A hash of organization, resource and the event's name in it: the same event is there once.
  id text primary key,
  organization_id uuid not null references app.organization (id),
  organization_sequence bigint not null,
  -- What it is about, as in smart_deposit:<deposit id>; delivered in order.
  resource text not null,
  resource_sequence integer not null,
  type text not null,
  created_at timestamptz not null,
  -- As it is sent, to the byte.
  body json not null,
  unique (organization_id, organization_sequence),
  unique (organization_id, resource, resource_sequence)
);

-- Down Migration
drop table app.event, app.event_sequence;
