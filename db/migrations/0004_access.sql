-- Up Migration
-- Until now every key could do all there was.
update app.api_key set permissions = '{earn:read,earn:prepare}';
alter table app.api_key add constraint api_key_permissions_check
  check (permissions <@ array['earn:read', 'earn:prepare', 'smart-deposits', 'webhooks']);
alter table app.organization add constraint organization_rate_limit_tier_check
  check (rate_limit_tier in ('standard', 'high', 'unlimited'));

-- What administrators did. Rows are added only; none holds a secret.
create table app.audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  -- Who: cli:<user of the operating system>, start.
  actor text not null check (actor <> ''),
  action text not null,
  -- What it was done to: a key's public id, an organization's id, a chain.
  subject text not null,
  details jsonb not null default '{}'
);
create index on app.audit (subject, id);

-- Down Migration
drop table app.audit;
alter table app.organization drop constraint organization_rate_limit_tier_check;
alter table app.api_key drop constraint api_key_permissions_check;
