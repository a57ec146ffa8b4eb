-- Up Migration
-- If no api ran for nine days, the slot of today has old rows beside new ones, and one row says nothing about the others. So the
-- old ones are looked for there by the index of (organization_id, at).
create or replace function app.forget_old_requests() returns void language plpgsql as $$
declare
  first_day timestamptz := ((now() at time zone 'utc')::date - 7)::timestamp at time zone 'utc';
  today integer := floor(extract(epoch from now()) / 86400)::bigint % 9;
  any_time timestamptz;
  has_old boolean;
begin
  perform set_config('lock_timeout', '200ms', true);
  for slot in 0..8 loop
    if slot = today then
      execute format('select exists (select from app.organization o where exists (
        select from app.request_log_%s r where r.organization_id = o.id and r.at < $1))', slot)
        into has_old using first_day;
      if has_old then
        execute format('delete from app.request_log_%s where at < $1', slot) using first_day;
      end if;
    else
      execute format('select at from app.request_log_%s limit 1', slot) into any_time;
      if any_time < first_day then
        execute format('truncate app.request_log_%s', slot);
      end if;
    end if;
  end loop;
end $$;

-- Down Migration
-- As migration 0018 made it.
create or replace function app.forget_old_requests() returns void language plpgsql as $$
declare
  first_day timestamptz := ((now() at time zone 'utc')::date - 7)::timestamp at time zone 'utc';
  today integer := floor(extract(epoch from now()) / 86400)::bigint % 9;
  any_time timestamptz;
begin
  perform set_config('lock_timeout', '200ms', true);
  for slot in 0..8 loop
    execute format('select at from app.request_log_%s limit 1', slot) into any_time;
    if any_time < first_day then
      if slot = today then
        execute format('delete from app.request_log_%s where at < $1', slot) using first_day;
      else
        execute format('truncate app.request_log_%s', slot);
      end if;
    end if;
  end loop;
end $$;
