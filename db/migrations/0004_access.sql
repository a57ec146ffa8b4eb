-- Up Migration
-- Before this migration every key had every permission.
update app.api_key set permissions = '{earn:read,earn:prepare}';
alter table app.api_key add constraint api_key_permissions_check
  check (permissions <@ array['earn:read', 'earn:prepare', 'smart-deposits', 'webhooks']);
alter table app.organization add constraint organization_rate_limit_tier_check
  check (rate_limit_tier in ('standard', 'high', 'unlimited'));

-- The actions of administrators. Rows are only added; none holds a secret.
create table app.audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  -- cli:<user of the operating system>, or start.
  actor text not null check (actor <> ''),
  action text not null,
  -- The public id of a key, the id of an organization, or a chain.
  subject text not null,
  details jsonb not null default '{}'
);
create index on app.audit (subject, id);

-- Down Migration
drop table app.audit;
alter table app.organization drop constraint organization_rate_limit_tier_check;
alter table app.api_key drop constraint api_key_permissions_check;
