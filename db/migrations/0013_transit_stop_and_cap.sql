-- Up Migration

-- The routes for which an operator stopped quotes. Read and written by domain/transit/signing/routePauses.ts.
create table app.transit_pause (
  -- The key of a route, or 'all'.
  route text primary key,
  reason text not null,
  actor text not null,
  paused_at timestamptz not null default now()
);

-- The sums of signed quotes by the minute of their deadline. Written by app.reserve_transit_quote alone.
create table app.transit_quoted (
  route text not null,
  -- 'route' for all callers together, 'anonymous' for those without a key, or one caller.
  share text not null,
  deadline_minute bigint not null,
  -- Base units of the offer asset.
  amount numeric(78) not null,
  primary key (route, share, deadline_minute)
) with (fillfactor = 50);
create index on app.transit_quoted (deadline_minute);

-- Counts an amount in each share, unless one of them would exceed its limit. Null if it was counted, else
-- the least that is left. Quotes whose deadline is before `from_minute` are not counted any more.
create function app.reserve_transit_quote(
  in_route text, in_amount numeric, in_minute bigint, from_minute bigint,
  in_shares text[], in_limits numeric[]
) returns numeric language plpgsql as $$
declare
  least_left numeric;
begin
  -- One after the other per route: two replicas cannot both take what is left.
  perform pg_advisory_xact_lock(hashtextextended('transit_quoted:' || in_route, 0));
  select min(l.most - coalesce((
    select sum(q.amount) from app.transit_quoted q
    where q.route = in_route and q.share = l.share and q.deadline_minute >= from_minute
  ), 0)) into least_left
  from unnest(in_shares, in_limits) l (share, most);
  if least_left < in_amount then
    return greatest(least_left, 0);
  end if;
  -- A crash of Postgres may lose half a second of counts; waiting for the disk would slow every quote.
  perform set_config('synchronous_commit', 'off', true);
  if not exists (
    select from app.transit_quoted q
    where q.route = in_route and q.share = 'route' and q.deadline_minute = in_minute
  ) then
    delete from app.transit_quoted q
    where q.route = in_route and q.deadline_minute < from_minute - 60;
  end if;
  insert into app.transit_quoted (route, share, deadline_minute, amount)
  select in_route, l.share, in_minute, in_amount from unnest(in_shares) l (share)
  on conflict (route, share, deadline_minute)
  do update set amount = transit_quoted.amount + excluded.amount;
  return null;
end $$;

-- Down Migration
drop function app.reserve_transit_quote;
drop table app.transit_quoted, app.transit_pause;
