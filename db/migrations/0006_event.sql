-- Up Migration
-- The newest number among an organization's events. Its row is locked while events are recorded, so that
-- numbers follow the order of commits, and a read of the events after a number misses none.
create table app.event_sequence (
  organization_id uuid primary key references app.organization (id),
  last bigint not null
);

-- The events of an organization, each written in the transaction that makes it true.
create table app.event (
  -- A hash of organization, resource and the event's name in it, so that an event is recorded once.
  id text primary key,
  organization_id uuid not null references app.organization (id),
  organization_sequence bigint not null,
  -- The subject, such as smart_deposit:<deposit id>; events of one subject are delivered in order.
  resource text not null,
  resource_sequence integer not null,
  type text not null,
  created_at timestamptz not null,
  -- The exact bytes that are sent.
  body json not null,
  unique (organization_id, organization_sequence),
  unique (organization_id, resource, resource_sequence)
);

-- Down Migration
drop table app.event, app.event_sequence;
