-- Up Migration
alter table app.api_key
  -- The actor of the audit log: member:<id>, key:<public id>, cli:<user> or start. Null if it is not known.
  add column created_by text,
  add column rotated_from text references app.api_key (public_id);
update app.api_key k set created_by = a.actor from app.audit a
where a.action = 'key.create' and a.subject = k.public_id;
update app.api_key k set created_by = a.actor, rotated_from = a.subject from app.audit a
where a.action = 'key.rotate' and a.details->>'replacedBy' = k.public_id
  and exists (select from app.api_key old where old.public_id = a.subject);
create index api_key_by_time on app.api_key (organization_id, created_at, public_id);
drop index app.api_key_organization_id_idx;
create index on app.api_key (rotated_from) where rotated_from is not null;

-- The requests of a key by hour, as sums. Written by domain/usage alone. An update changes no index.
create table app.api_usage (
  organization_id uuid not null references app.organization (id),
  hour timestamptz not null,
  public_id text not null,
  requests bigint not null,
  points bigint not null,
  refused bigint not null,
  invalid bigint not null,
  failed bigint not null,
  primary key (organization_id, hour, public_id)
) with (fillfactor = 50);
create index on app.api_usage (hour);

-- The requests of keys in the last seven days. A slot is a day: the number of days since 1970, modulo 9. Seven whole
-- days and today take eight; the ninth is empty before its day comes. A day is deleted by one truncate.
create sequence app.request_log_id;
create table app.request_log (
  slot smallint not null,
  id bigint not null default nextval('app.request_log_id'),
  at timestamptz not null,
  organization_id uuid not null,
  public_id text not null,
  request_id text not null,
  method text not null,
  route text not null,
  operation text,
  status smallint not null,
  reason text,
  latency_ms integer not null,
  points integer not null
) partition by list (slot);
do $$ begin
  for slot in 0..8 loop
    execute format(
      'create table app.request_log_%s partition of app.request_log for values in (%s)', slot, slot);
  end loop;
end $$;
create index on app.request_log (organization_id, at, id);
-- A request id is random: a sorted index would cost more than all the rest of the row.
create index on app.request_log using hash (request_id);

-- Empties the slots whose day is more than seven days ago. Raises 55P03 where a reader holds one, such as a backup.
create function app.forget_old_requests() returns void language plpgsql as $$
declare
  first_day timestamptz := ((now() at time zone 'utc')::date - 7)::timestamp at time zone 'utc';
  today integer := floor(extract(epoch from now()) / 86400)::bigint % 9;
  any_time timestamptz;
begin
  perform set_config('lock_timeout', '200ms', true);
  for slot in 0..8 loop
    execute format('select at from app.request_log_%s limit 1', slot) into any_time;
    if any_time < first_day then
      -- Today's has old rows only after nine days without an api, and then may have new ones too.
      if slot = today then
        execute format('delete from app.request_log_%s where at < $1', slot) using first_day;
      else
        execute format('truncate app.request_log_%s', slot);
      end if;
    end if;
  end loop;
end $$;

-- Down Migration
drop function app.forget_old_requests;
drop table app.request_log, app.api_usage;
drop sequence app.request_log_id;
create index on app.api_key (organization_id);
drop index app.api_key_by_time;
alter table app.api_key drop column rotated_from, drop column created_by;
