-- Up Migration
-- The organization that an action concerns; null for the operator's own matters, as a stop of quotes.
alter table app.audit add column organization_id uuid references app.organization (id);
update app.audit a set organization_id = o.id
from app.organization o
where o.id::text = coalesce(
  case when a.action like 'key.%' then
    (select k.organization_id::text from app.api_key k where k.public_id = a.subject) end,
  case when a.action like 'webhook.%' then
    (select w.organization_id::text from app.webhook_endpoint w where w.id::text = a.subject) end,
  a.details->>'organizationId',
  case when a.action like 'organization.%' or a.action like 'member.%' then a.subject end);
create index on app.audit (organization_id, id);

-- Written by the worker that keeps the chain: its account, and why it sends nothing now.
alter table app.keeper_chain
  add column account text check (account ~ '^0x[0-9a-f]{40}$'),
  add column hold text check (hold in ('fee', 'budget'));

-- Down Migration
alter table app.keeper_chain drop column hold, drop column account;
alter table app.audit drop column organization_id;
