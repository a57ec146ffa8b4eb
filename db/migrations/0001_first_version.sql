-- Up Migration

-- Organizations and their keys.

create table app.organization (
  id uuid primary key default gen_random_uuid(),
  name text not null unique check (length(name) between 1 and 100),
  -- Tags the orders and deposits that its callers prepare without a code. Depositors take a code of any length; Transit's
  -- bytes32 is the longest that serves both.
  default_distributor_code text check (default_distributor_code ~ '^0x([0-9a-f]{2}){1,32}$'),
  slippage_bps integer not null default 50 check (slippage_bps between 0 and 10000),
  settle_on_submit boolean not null default false,
  -- Whether members need a second factor of their account, also after a provider's sign-in.
  requires_second_factor boolean not null default false,
  rate_limit_tier text not null default 'standard' check (rate_limit_tier in ('standard', 'high', 'unlimited')),
  created_at timestamptz not null default now()
);

create table app.api_key (
  public_id text primary key,
  organization_id uuid not null references app.organization (id),
  name text not null default '',
  -- HMAC-SHA256 of the secret part; the clear key is shown once and kept nowhere.
  secret_hash bytea not null,
  permissions text[] not null default '{}' check (permissions <@
    array['admin', 'earn:read', 'earn:prepare', 'keys', 'members', 'smart-deposits',
      'smart-deposits:refund', 'webhooks']),
  -- The actor of the audit log: member:<id>, key:<public id>, cli:<user> or start. Null if it is not known.
  created_by text,
  rotated_from text references app.api_key (public_id),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index api_key_by_time on app.api_key (organization_id, created_at, public_id);
create index on app.api_key (rotated_from) where rotated_from is not null;

-- The actions of administrators. Rows are only added; none holds a secret.
create table app.audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  -- cli:<user of the operating system>, start or worker.
  actor text not null check (actor <> ''),
  action text not null,
  -- The public id of a key, the id of an organization, or a chain.
  subject text not null,
  -- The organization that it concerns; null for the operator's own matters, as a stop of quotes.
  organization_id uuid references app.organization (id),
  details jsonb not null default '{}'
);
create index on app.audit (subject, id);
create index on app.audit (organization_id, id);

-- The console. Five tables are those of Better Auth (docs/decisions/0042-*.md), with the library's ids and types:
-- console_user, console_session, console_credential, console_verification and console_two_factor.

create table app.console_user (
  id text primary key,
  name text not null,
  email text not null unique,
  email_verified boolean not null default false,
  image text,
  two_factor_enabled boolean not null default false,
  -- May do what `npm run admin` does, in every organization.
  is_operator boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table app.console_session (
  id text primary key,
  user_id text not null references app.console_user (id) on delete cascade,
  -- Useless without the signature that the cookie has beside it, which APP_SECRET makes.
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  -- The last proof of who is there: a password or a code.
  authenticated_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on app.console_session (user_id);

-- A way to sign in: a password (scrypt), or an account of an OIDC provider.
create table app.console_credential (
  id text primary key,
  user_id text not null references app.console_user (id) on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id),
  -- An account stays bound to the first account of the provider that it was bound to.
  unique (user_id, provider_id)
);

create table app.console_verification (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on app.console_verification (identifier);

-- Secret and recovery codes are encrypted with a key from APP_SECRET.
create table app.console_two_factor (
  id text primary key,
  user_id text not null references app.console_user (id) on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default true,
  failed_verification_count integer not null default 0,
  locked_until timestamptz
);
create index on app.console_two_factor (user_id);

-- Attempts to sign in, per account and per address, in a window. `name` holds no email address.
create table app.console_attempt (
  name text primary key,
  attempts integer not null,
  ends_at timestamptz not null
);
create index on app.console_attempt (ends_at);

create table app.organization_member (
  organization_id uuid not null references app.organization (id),
  user_id text not null references app.console_user (id) on delete cascade,
  role text not null check (role in ('owner', 'developer', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (organization_id, user_id)
);
create index on app.organization_member (user_id);

-- A link by which a person becomes a member, an operator, or both.
create table app.console_invitation (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid references app.organization (id),
  email text not null,
  role text check (role in ('owner', 'developer', 'viewer')),
  is_operator boolean not null default false,
  -- SHA-256 of the 256 random bits in the link.
  token_hash bytea not null unique,
  invited_by text not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  check ((organization_id is null) = (role is null)),
  check (organization_id is not null or is_operator)
);
create index on app.console_invitation (organization_id, created_at);

-- The first answers of calls with an Idempotency-Key, for a day. A row is written in the transaction of the call's own
-- changes (domain/idempotency).
create table app.idempotency_key (
  organization_id uuid not null references app.organization (id),
  key text not null check (length(key) between 1 and 255),
  -- SHA-256 of the caller, the operation and its parameters.
  fingerprint bytea not null,
  -- AES-256-GCM under a key of SECRETS_KEY, bound to the key: an answer may hold a secret that is shown once.
  sealed_answer bytea not null,
  answered_at timestamptz not null default now(),
  primary key (organization_id, key)
);
create index on app.idempotency_key (answered_at);

-- What nodes answered, read by one api for all (domain/cache/publishedReads.ts). Not logged: what a crash or a failover loses is read
-- again. Half of each page is left free, because every answer is an update.
create unlogged table app.published_read (
  key text primary key,
  -- The process that reads it now, and since when. Its lease ends after some seconds.
  reader uuid,
  leased_at timestamptz not null,
  -- The last answer, as `serialize` of node:v8 writes it, and when its read began.
  answer bytea,
  read_at timestamptz
) with (fillfactor = 50);

-- Quotas, and what keys did.

-- The used part of each quota in its present window, read and written by db/quotaStore.ts. The columns are
-- those of rate-limiter-flexible. Every update changes one row and no index, so it stays on its page.
create table app.rate_limit (
  key varchar(255) primary key,
  points integer not null,
  -- Unix milliseconds.
  expire bigint
) with (fillfactor = 50);

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
  has_old boolean;
begin
  perform set_config('lock_timeout', '200ms', true);
  for slot in 0..8 loop
    -- If no api ran for nine days, the slot of today has old rows beside new ones, and one row says nothing about the
    -- others. So the old ones are looked for there by the index of (organization_id, at).
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

-- Builds of the index.

-- One row per chain of a build: the Postgres schema into which an indexer writes (docs/architecture.md).
create table app.index_build (
  -- The name of this chain's rows in the tables of `read`.
  id integer generated always as identity unique,
  postgres_schema text not null,
  chain_id integer not null,
  build_hash text not null,
  state text not null check (state in ('building', 'served', 'retired', 'failed')),
  created_at timestamptz not null default now(),
  served_at timestamptz,
  -- That of the address book with which the build was served.
  finality_depth integer,
  error text,
  -- Why the indexer cannot read the blocks of the chain, while it cannot.
  refusal text,
  -- The final block at which the index of the chain began last. Ponder keeps no hash of it.
  begun_block bigint,
  begun_hash text,
  primary key (postgres_schema, chain_id)
);
create unique index on app.index_build (chain_id) where state = 'served';

-- The number of rebuilds ordered for a chain: part of the name of its builds.
create table app.index_rebuild (
  chain_id integer primary key,
  generation integer not null,
  reason text not null,
  ordered_at timestamptz not null default now()
);

-- The newest block per chain that any api has answered from; no api answers from an older one after it.
create table app.index_high_water (
  chain_id integer primary key,
  block_number bigint not null,
  updated_at timestamptz not null default now()
);

-- What is read of the index over all builds, before any is served. Nothing in `read` is lost with it: it follows from the builds.
create function app.begin_empty_index() returns void language plpgsql as $$ begin
  create schema if not exists read;
  -- The head of each chain of each build (db/transitSides.ts). It changes with every block.
  create table if not exists read.index_head (
    build integer primary key,
    block_number bigint not null,
    block_hash text not null,
    block_timestamp bigint not null,
    last_change_hash text not null,
    is_ready boolean not null
  ) with (fillfactor = 20);
  -- Both sides of every Transit order of every build (db/transitSides.ts).
  create table if not exists read.transit_side (
    order_id bytea not null,
    is_source boolean not null,
    build integer not null,
    chain_id integer not null,
    -- Unix seconds of the first log.
    created_at bigint not null,
    -- Null on the destination, as the next two.
    user_address bytea,
    receiver bytea,
    distributor_code bytea,
    -- All that have a log of the order on this chain.
    transactions bytea[] not null,
    -- The row of the build; large numbers as text.
    facts json not null,
    primary key (order_id, is_source, build)
  );
  create index if not exists transit_side_user on read.transit_side (user_address, created_at desc, order_id desc)
    where is_source;
  create index if not exists transit_side_receiver on read.transit_side (receiver, created_at desc, order_id desc)
    where is_source;
  create index if not exists transit_side_code on read.transit_side (distributor_code, created_at desc, order_id desc)
    where is_source;
  create index if not exists transit_side_sender on read.transit_side (
    (decode(substr(facts->>'transactionSender', 3), 'hex')), created_at desc, order_id desc
  ) where is_source;
  create index if not exists transit_side_transaction on read.transit_side using gin (transactions)
    with (fastupdate = off);
  create index if not exists transit_side_message on read.transit_side ((facts->>'messageGuid'));
  if to_regclass('read.chain_progress') is null then
    create view read.chain_progress as
      select b.id as build, b.chain_id, h.block_number, h.block_hash, h.block_timestamp, h.last_change_hash, h.is_ready,
        greatest(h.block_number - b.finality_depth, 0) as finalized_block, w.block_number as high_water
      from app.index_build b join read.index_head h on h.build = b.id
      left join app.index_high_water w on w.chain_id = b.chain_id
      where b.state = 'served';
  end if;
end $$;
select app.begin_empty_index();

-- Transit.

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

-- Orders that passed the 99th percentile of their route while they were open: each has its event once.
create table app.delayed_order (
  order_id text primary key,
  recorded_at timestamptz not null default now()
);
create index on app.delayed_order (recorded_at);

-- Events, and how they are made from the index.

-- The newest number among an organization's events. Its row is locked while events are recorded, so that
-- numbers follow the order of commits, and a read of the events after a number misses none.
create table app.event_sequence (
  organization_id uuid primary key references app.organization (id),
  last bigint not null,
  -- The time of the newest event: times ascend with the sequence, whichever worker's clock is behind.
  last_at timestamptz,
  -- The newest event that is no longer kept: the log begins after it.
  expired bigint not null default 0
);

-- With which sequence each day (UTC) of an organization begins. A statement over events or deliveries names their days as
-- values, so that Postgres plans and opens only these partitions.
create table app.event_day (
  organization_id uuid not null references app.organization (id),
  day date not null,
  first_sequence bigint not null,
  primary key (organization_id, day)
);

-- How many events a resource has, and in which time. It outlives them while the resource can have more.
create table app.event_resource (
  organization_id uuid not null references app.organization (id),
  resource text not null,
  last_sequence integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- Its newest event is the last one of its kind.
  has_ended boolean not null,
  primary key (organization_id, resource)
) with (fillfactor = 85);
create index on app.event_resource using brin (last_at);

-- The events of an organization, each written in the transaction that makes it true. Its partitions are days, by
-- app.make_day; the last one has what outlives its day (app.drop_day).
create table app.event (
  -- A hash of organization, resource and the event's name in it. The lock of event_sequence sees to it that an event is
  -- recorded once: a key over all partitions would need their column.
  id text not null,
  organization_id uuid not null references app.organization (id),
  organization_sequence bigint not null,
  -- The subject, such as smart_deposit:<deposit id>; events of one subject are delivered in order.
  resource text not null,
  resource_sequence integer not null,
  type text not null,
  created_at timestamptz not null,
  -- The exact bytes that are sent.
  body json not null,
  -- The traceparent (W3C Trace Context) of the request or job that recorded it; null if nothing was traced.
  trace_parent text check (length(trace_parent) <= 55),
  primary key (id, created_at)
) partition by range (created_at);
create table app.event_kept partition of app.event default;
-- The reads of the event log: a page, from a time, of some types, of one resource.
create index event_by_sequence on app.event (organization_id, organization_sequence);
create index event_by_time on app.event (organization_id, created_at, organization_sequence);
create index event_by_type on app.event (organization_id, type, organization_sequence);
create index event_by_resource on app.event (organization_id, resource, organization_sequence);

-- The smart deposits of which an organization has events, and what these said: it outlives them.
create table app.smart_deposit_report (
  organization_id uuid not null references app.organization (id),
  deposit_id text not null,
  -- That of the first event.
  organization_sequence bigint not null,
  -- Of each event: id, type, timestamp, sequence, receipt_tx_hash, convert_tx_hash, forward_tx_hash, recovery_tx_hash.
  timeline jsonb not null,
  primary key (deposit_id, organization_id)
);
create index on app.smart_deposit_report (organization_id, organization_sequence);

-- Reports smart deposits, and wakes the requests that wait for them, once per transaction, at its commit. With the owner's
-- rights: who may insert events needs none to the reports.
create function app.report_smart_deposits() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into app.smart_deposit_report as r (organization_id, deposit_id, organization_sequence, timeline)
  select organization_id, substr(resource, length('smart_deposit:') + 1), min(organization_sequence),
    jsonb_agg(jsonb_build_object('id', id, 'type', type, 'timestamp', body ->> 'timestamp',
      'sequence', resource_sequence, 'receipt_tx_hash', body ->> 'receipt_tx_hash',
      'convert_tx_hash', body ->> 'convert_tx_hash',
      'forward_tx_hash', body ->> 'forward_tx_hash', 'recovery_tx_hash', body ->> 'recovery_tx_hash'
    ) order by resource_sequence)
  from added where starts_with(resource, 'smart_deposit:') group by organization_id, resource
  on conflict (organization_id, deposit_id) do update set timeline = r.timeline || excluded.timeline;
  if found then
    perform pg_notify('causeway_smart_deposit', '');
  end if;
  return null;
end $$;
create trigger report_smart_deposits after insert on app.event
  referencing new table as added
  for each statement execute function app.report_smart_deposits();

-- The block up to which a chain's facts are finalized and have their events, and the chain's last pass.
create table app.feed_cursor (
  chain_id integer primary key,
  block_number bigint not null,
  -- How many passes have written. One that began before another wrote records nothing.
  passes bigint not null default 0,
  -- The build that the last pass compared, its newest block, and the last one that can have changed a row.
  passed_build integer,
  passed_hash text,
  passed_change text,
  -- When the next pass is due although no row has changed; null while the chain rests.
  again_at timestamptz,
  updated_at timestamptz not null default now()
);

-- Facts above the cursor that have events, as they were in that block.
create table app.seen_fact (
  chain_id integer not null,
  block_hash text not null,
  transaction_hash text not null,
  log_index integer not null,
  block_number bigint not null,
  -- transit_order:<id>, withdrawal_request:<id>
  resource text not null,
  -- The values to which endpoints' filters apply.
  facts json not null,
  event_ids text[] not null,
  -- A reorganisation can remove it and bring it back: each time makes a new event.
  times integer not null default 1,
  is_retracted boolean not null default false,
  primary key (chain_id, block_hash, transaction_hash, log_index)
);
create index on app.seen_fact (chain_id, block_number);

-- Webhooks.

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
  -- none: a delivery that fails holds back no other one of its resource.
  ordering text not null default 'resource' check (ordering in ('resource', 'none')),
  status text not null default 'enabled' check (status in ('enabled', 'disabled')),
  -- gone: the endpoint answered 410. failing: it accepted nothing for days.
  disabled_reason text check (disabled_reason in ('gone', 'failing', 'by_hand')),
  disabled_at timestamptz,
  -- Failed attempts since the last success, and the time of the first one.
  failures_in_row integer not null default 0,
  failing_since timestamptz,
  -- The last report of a failing endpoint; null once it accepts again.
  failing_reported_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((status = 'disabled') = (disabled_reason is not null)),
  check ((status = 'disabled') = (disabled_at is not null))
);
create index on app.webhook_endpoint (organization_id, created_at, id);
create index webhook_endpoint_failing on app.webhook_endpoint (id) where failures_in_row > 0;

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

-- The headers that an endpoint wants beside those of every delivery.
create table app.webhook_header (
  endpoint_id uuid not null references app.webhook_endpoint (id) on delete cascade,
  -- In lower case.
  name text not null check (length(name) <= 100),
  -- As a secret of the endpoint.
  sealed bytea not null,
  primary key (endpoint_id, name)
);

-- The newest replay of an endpoint: it walks the event log and makes each selected event wait for delivery again.
create table app.webhook_replay (
  endpoint_id uuid primary key references app.webhook_endpoint (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  -- Events after this one, up to and with the last one.
  after_sequence bigint not null,
  end_sequence bigint not null,
  -- Null for all that the endpoint selects.
  event_types text[],
  only_failed boolean not null,
  -- The last event that was looked at.
  position bigint not null,
  event_count integer not null default 0,
  created_at timestamptz not null default now(),
  canceled_at timestamptz
);
create index webhook_replay_walking on app.webhook_replay (endpoint_id)
  where position < end_sequence and canceled_at is null;

-- One row per event and endpoint that gets it, written with the event or by a replay. Those that wait are in a partition
-- of their own, which is small and never dropped. The others are in the days of their events.
create table app.webhook_delivery (
  endpoint_id uuid not null,
  event_id text not null,
  -- The time of the event: its partition when it has ended.
  event_at timestamptz not null,
  event_type text not null,
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
  -- The replay that sent it last.
  replay_id uuid,
  created_at timestamptz not null default now(),
  -- When it was delivered or became dead; before that without a meaning.
  ended_at timestamptz not null default now()
) partition by list (status);
create table app.webhook_delivery_waiting partition of app.webhook_delivery (
  primary key (endpoint_id, event_id),
  foreign key (endpoint_id) references app.webhook_endpoint (id) on delete cascade
) for values in ('waiting') with (fillfactor = 85);
create table app.webhook_delivery_ended partition of app.webhook_delivery
  for values in ('delivered', 'dead') partition by range (event_at);
create table app.webhook_delivery_kept partition of app.webhook_delivery_ended default;
-- Finds the first waiting delivery of a resource.
create index on app.webhook_delivery_waiting (endpoint_id, resource, resource_sequence);
create index on app.webhook_delivery_ended (endpoint_id, event_id);
create index on app.webhook_delivery_ended (endpoint_id, organization_sequence) where status = 'dead';
create index on app.webhook_delivery (endpoint_id, organization_sequence);
create index on app.webhook_delivery (replay_id, status) where replay_id is not null;

-- The attempts of deliveries, in days: the request, without its body, which is the event's; and the answer.
create sequence app.webhook_attempt_id;
create table app.webhook_attempt (
  id bigint not null default nextval('app.webhook_attempt_id'),
  endpoint_id uuid not null,
  event_id text not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  -- Null if the attempt ended before a request was made.
  request_url text,
  -- Each header's value by its name.
  request_headers json,
  -- Null if no answer began.
  response_status integer,
  -- The beginning of the answer's body as text, without signing secrets.
  response_body text check (length(response_body) <= 1024),
  is_response_body_truncated boolean not null,
  -- Null if it was delivered.
  error text
) partition by range (started_at);
create table app.webhook_attempt_kept partition of app.webhook_attempt default;
create index on app.webhook_attempt (endpoint_id, event_id, id);
-- The figures of an endpoint, and of all in the last minutes.
create index webhook_attempt_by_endpoint on app.webhook_attempt (endpoint_id, started_at);
create index webhook_attempt_by_time on app.webhook_attempt using brin (started_at);

-- What ended goes with its endpoint. No foreign keys: each attempt would lock the row of its endpoint.
create function app.forget_endpoint() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  delete from app.webhook_delivery_ended where endpoint_id = old.id;
  delete from app.webhook_attempt where endpoint_id = old.id;
  delete from app.event_resource
  where organization_id = old.organization_id and resource = 'webhook_endpoint:' || old.id;
  return null;
end $$;
create trigger forget_endpoint after delete on app.webhook_endpoint
  for each row execute function app.forget_endpoint();

-- Smart deposits, and the keeper that settles them.

-- Kept for ever with its factory: a newer factory changes no address that was given out.
create table app.smart_deposit_address (
  chain_id integer not null,
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  factory text not null check (factory ~ '^0x[0-9a-f]{40}$'),
  -- Of the factory: B's addresses are the same on every chain, and its calls are other ones.
  generation text not null default 'A' check (generation in ('A', 'B')),
  user_destination_address text not null check (user_destination_address ~ '^0x[0-9a-f]{40}$'),
  vault_address text not null check (vault_address ~ '^0x[0-9a-f]{40}$'),
  input_token text not null check (input_token ~ '^0x[0-9a-f]{40}$'),
  -- A Postgres pattern repeats at most 255 times: with {1,256} the check itself would fail.
  customer_id text check (customer_id ~ '^[a-zA-Z0-9_-]+$' and length(customer_id) <= 256),
  -- The organization whose customer id is part of the address.
  organization_id uuid references app.organization (id),
  created_at timestamptz not null default now(),
  primary key (chain_id, address),
  check ((organization_id is null) = (customer_id is null))
);
-- The same inputs have the same address, also in two processes with different address books.
create unique index smart_deposit_address_of on app.smart_deposit_address
  (user_destination_address, vault_address, input_token, chain_id, customer_id, organization_id)
  nulls not distinct;
create index on app.smart_deposit_address (chain_id, created_at);
create index on app.smart_deposit_address (address);
-- Each chain with the factory watches them.
create index on app.smart_deposit_address (created_at) where generation = 'B';
create index on app.smart_deposit_address (customer_id) where customer_id is not null;

-- The organizations that registered an address; each gets the events of its deposits.
create table app.smart_deposit_registration (
  organization_id uuid not null references app.organization (id),
  chain_id integer not null,
  address text not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, chain_id, address),
  foreign key (chain_id, address) references app.smart_deposit_address (chain_id, address)
);
create index on app.smart_deposit_registration (chain_id, address);
create index on app.smart_deposit_registration (organization_id, created_at desc, chain_id desc, address desc);

-- One row per payment to an address and attempt to settle it.
create table app.smart_deposit (
  -- A hash of chain id, transaction, place of the log in the transaction, and attempt.
  deposit_id text primary key check (deposit_id ~ '^0x[0-9a-f]{64}$'),
  -- The chain of the payment. An address of generation B can be paid on other chains than its vault's.
  chain_id integer not null,
  -- The chain of the vault, and so of the address's row.
  address_chain_id integer not null,
  address text not null,
  -- What was paid. Any token can be paid to an address of generation B.
  token text not null check (token ~ '^0x[0-9a-f]{40}$'),
  -- The payment's id in the factory, which settles each id once; all attempts have the same.
  payment_id text not null check (payment_id ~ '^0x[0-9a-f]{64}$'),
  attempt integer not null check (attempt >= 1),
  -- Base units of `token`.
  received_amount numeric(78) not null check (received_amount > 0),
  -- What was settled of it, if less was there: the token took a fee, or a part was moved away. Null otherwise.
  arrived_amount numeric(78) check (arrived_amount >= 0),
  payment_tx_hash text not null,
  -- The position among the logs of the transaction: a reorganisation that moves the transaction keeps it.
  payment_log_position integer not null,
  payment_block_number bigint not null,
  payment_block_hash text not null,
  -- retrying: an attempt after a retained one, without events until it ends.
  status text not null
    check (status in ('pending', 'retrying', 'converting', 'confirmed', 'finalized', 'failed', 'reverted')),
  remediation text check (remediation in ('refunded', 'recovered', 'retained')),
  error text,
  -- Why it is retained, for programs. TOKEN_NOT_ACCEPTED: no open Transit route takes what was paid to the vault's input token.
  -- ORDER_REMOVED: its Transit order pays nothing more, and there is no attempt after this one.
  reason text check (reason in ('TOKEN_NOT_ACCEPTED', 'ORDER_REMOVED')),
  -- converting: the keeper's Transit order, and what that order pays to the address in input tokens.
  order_id text check (order_id ~ '^0x[0-9a-f]{64}$'),
  order_amount numeric(78),
  -- What the order has paid so far, and the transaction on the vault's chain that ended it there.
  home_amount numeric(78),
  home_tx_hash text,
  home_block_hash text,
  -- The keeper's order that made this payment. The payment goes on with the deposit of that order_id, and has no events of its own.
  continues text check (continues ~ '^0x[0-9a-f]{64}$'),
  -- Too little to be settled alone: settled together with others of its address.
  is_small boolean not null default false,
  -- An operator wants it settled, however little it is.
  is_ordered boolean not null default false,
  -- Its organization wants it refunded.
  refund_ordered_at timestamptz,
  -- The id under which it is settled together with others: that of the first of them.
  collected_as text check (collected_as ~ '^0x[0-9a-f]{64}$'),
  -- Why the screening provider refuses its payer, and since when it has given no answer about it.
  payer_refusal text,
  unscreened_since timestamptz,
  -- The depositor through which it goes into the vault: the address book's, until the factory's was read.
  depositor_address text,
  minted_amount numeric(78),
  -- The keeper's transaction that settled it on its chain: a forward, conversion, refund or recovery.
  settle_tx_hash text,
  settle_block_number bigint,
  settle_block_hash text,
  -- The number of failed tries to settle it, and since when the reads for it have failed.
  tries integer not null default 0,
  failing_since timestamptz,
  -- The next try, or the next look at its Transit order.
  retry_at timestamptz,
  -- The number of reorganisations that took back its payment, and its settlement, after their events.
  payment_reverts integer not null default 0,
  settle_reverts integer not null default 0,
  -- True when nothing can change it any more.
  is_final boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (payment_id, attempt),
  foreign key (address_chain_id, address) references app.smart_deposit_address (chain_id, address),
  check ((status = 'failed') = (remediation is not null)),
  check (status <> 'converting' or order_id is not null)
);
create index on app.smart_deposit (address_chain_id, address);
create index on app.smart_deposit (chain_id, address);
create index on app.smart_deposit (order_id) where order_id is not null;
create index on app.smart_deposit (continues) where continues is not null;
-- Payments of orders that are not finalized: each pass looks whether their deposits are known.
create index on app.smart_deposit (chain_id) where continues is not null and not is_final;
-- The newest that were deposited: how long a keeper takes.
create index smart_deposit_minted on app.smart_deposit (chain_id, created_at desc)
  where minted_amount is not null;
create index on app.smart_deposit (chain_id, payment_id) where not is_final;
create index on app.smart_deposit (chain_id, address) where is_small and status in ('pending', 'retrying');
create index on app.smart_deposit (collected_as) where collected_as is not null;
create index on app.smart_deposit (chain_id) where unscreened_since is not null and status in ('pending', 'retrying');
create index on app.smart_deposit (chain_id, updated_at) where status = 'converting';

-- Addresses that hold more of a token than their known payments explain: the logs are searched until they do.
create table app.unexplained_balance (
  chain_id integer not null,
  -- Registered for this chain, or, of generation B, for another one.
  address text not null,
  token text not null check (token ~ '^0x[0-9a-f]{40}$'),
  -- What is there beyond the known payments.
  amount numeric(78) not null check (amount > 0),
  since timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  -- When the logs are searched again: the longer the amount is the same, the later.
  search_at timestamptz not null default now(),
  primary key (chain_id, address, token)
);

-- Transfers of tokens that are no deposits: left there until an administrator decides. At an address of generation A all other tokens,
-- at one of B those that the address book does not name, once there were many.
create table app.foreign_transfer (
  payment_id text primary key check (payment_id ~ '^0x[0-9a-f]{64}$'),
  chain_id integer not null,
  -- Registered for this chain, or, of generation B, for another one.
  address text not null,
  token text not null check (token ~ '^0x[0-9a-f]{40}$'),
  amount numeric(78) not null check (amount > 0),
  tx_hash text not null,
  log_position integer not null,
  block_number bigint not null,
  block_hash text not null,
  seen_at timestamptz not null default now(),
  -- The administrator's decision.
  wanted text check (wanted in ('refund', 'recover')),
  -- Not before: its payer could not be screened.
  retry_at timestamptz,
  settle_tx_hash text,
  error text
);

-- Transfers to smart deposit addresses whose position in their transaction no node shows: looked at again until one does.
create table app.unplaced_transfer (
  chain_id integer not null,
  block_number bigint not null,
  block_hash text not null,
  -- Among the logs of the block.
  log_index integer not null,
  tx_hash text not null,
  -- Registered for this chain, or, of generation B, for another one.
  address text not null,
  token text not null check (token ~ '^0x[0-9a-f]{40}$'),
  amount numeric(78) not null check (amount > 0),
  -- What was wrong at the last look.
  error text not null,
  seen_at timestamptz not null default now(),
  -- When it is looked at again: after as long as it has waited already.
  look_at timestamptz not null default now(),
  primary key (chain_id, block_hash, log_index)
);
create index on app.unplaced_transfer (chain_id, look_at);

-- Per chain, the newest block whose logs were read for payments to smart deposit addresses.
create table app.keeper_chain (
  chain_id integer primary key,
  -- Counted up by every worker that takes the chain over: a worker with an older number cannot write.
  lease bigint not null default 0,
  -- The accounts of the worker that keeps the chain, in the order of its keys, and why it sends nothing now.
  accounts text[] not null default '{}' check (array_to_string(accounts, '') ~ '^(0x[0-9a-f]{40})*$'),
  hold text check (hold in ('fee', 'budget')),
  -- All logs up to this block were read; the block had this hash.
  block_number bigint,
  block_hash text,
  -- The head at the last comparison of all rows with the chain. While this block is on the chain, so are they.
  compared_number bigint,
  compared_hash text,
  -- The end of the last pass in which nothing failed, and the steps that failed in the last one.
  passed_at timestamptz not null default now(),
  failing text[] not null default '{}',
  updated_at timestamptz not null default now()
);

-- The keeper's intent for each of its nonces, written before anything is signed.
create table app.keeper_intent (
  chain_id integer not null,
  keeper text not null check (keeper ~ '^0x[0-9a-f]{40}$'),
  nonce bigint not null,
  -- cancel: an empty transaction takes the nonce.
  kind text not null check (kind in ('settle', 'cancel')),
  target text not null,
  data text not null,
  gas bigint not null,
  -- wei that the call takes with it: the fee of a message between chains.
  value numeric(78) not null default 0,
  -- After it the chain would revert the call: its quote has expired.
  expires_at timestamptz,
  -- The words of a node that refuses its transaction for good. Null while none does.
  refusal text,
  -- open: no transaction of this nonce is mined. lost: a transaction that the keeper did not sign for it
  -- is finalized.
  state text not null check (state in ('open', 'mined', 'final', 'lost')),
  mined_hash text,
  mined_block_number bigint,
  mined_block_hash text,
  -- The cost of the mined transaction, in wei. Null while none is mined.
  cost_wei numeric(78),
  created_at timestamptz not null default now(),
  primary key (chain_id, keeper, nonce)
);
create index on app.keeper_intent (chain_id) where state in ('open', 'mined');
-- For the sum of the last hour.
create index on app.keeper_intent (chain_id, created_at);

-- The payments that an intent settles: one, or several that a factory settles in one transaction.
create table app.keeper_part (
  chain_id integer not null,
  keeper text not null,
  nonce bigint not null,
  payment_id text not null,
  -- Null for a foreign transfer.
  deposit_id text references app.smart_deposit (deposit_id),
  kind text not null check (kind in ('forward', 'convert', 'refund', 'recover')),
  -- The reason for a refund or recovery.
  why text,
  primary key (chain_id, keeper, nonce, payment_id),
  foreign key (chain_id, keeper, nonce) references app.keeper_intent (chain_id, keeper, nonce)
);
create index on app.keeper_part (payment_id);

-- Every transaction that was signed for an intent; any one of them can be mined.
create table app.keeper_transaction (
  hash text primary key,
  chain_id integer not null,
  keeper text not null,
  nonce bigint not null,
  kind text not null,
  raw text not null,
  -- wei per gas.
  max_fee numeric(78) not null,
  priority_fee numeric(78) not null,
  signed_at timestamptz not null default now(),
  sent_at timestamptz,
  foreign key (chain_id, keeper, nonce) references app.keeper_intent (chain_id, keeper, nonce)
);
create index on app.keeper_transaction (chain_id, keeper, nonce);

-- Retention. The worker calls these functions with the owner's rights (domain/retention).

-- Makes the partition of a day, named <table>_<yyyymmdd>, if there is none. Raises 55P03 where a session holds a table.
create function app.make_day(parent regclass, day date) returns void
language plpgsql security definer set search_path = pg_catalog set lock_timeout = '200ms' set timezone = 'UTC' as $$
declare
  kept regclass;
  key name;
  partition_name text := format('%s_%s', parent, to_char(day, 'YYYYMMDD'));
begin
  if parent not in ('app.event'::regclass, 'app.webhook_delivery_ended'::regclass, 'app.webhook_attempt'::regclass) then
    raise exception 'the table % has no days', parent;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('causeway.days:' || parent::text, 0));
  if to_regclass(partition_name) is not null then
    return;
  end if;
  select p.partdefid::regclass, a.attname into kept, key
  from pg_partitioned_table p join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
  where p.partrelid = parent;
  execute format('create table %s (like %s including defaults including constraints)', partition_name, parent);
  -- Else a row of the day could come between the deletion and the end, and the day would be refused.
  execute format('lock table %s in access exclusive mode', kept);
  -- What came before the day had its partition.
  execute format('with early as (delete from %s where %I >= $1 and %I < $2 returning *)
    insert into %s select * from early', kept, key, key, partition_name) using day::timestamptz, (day + 1)::timestamptz;
  execute format('alter table %s attach partition %s for values from (%L) to (%L)',
    parent, partition_name, day::timestamptz, (day + 1)::timestamptz);
end $$;

-- The events between two times that something still needs beyond their day: those with a delivery that is kept, and all of
-- smart deposits that can change.
create function app.needed_events(from_time timestamptz, to_time timestamptz) returns setof text
language sql stable set search_path = pg_catalog as $$
  select d.event_id from app.webhook_delivery d where d.event_at >= from_time and d.event_at < to_time
  union
  select e.id from app.smart_deposit d
  join app.smart_deposit_report r using (deposit_id)
  join app.event e on e.organization_id = r.organization_id and e.resource = 'smart_deposit:' || deposit_id
  where not d.is_final and e.created_at >= from_time and e.created_at < to_time
$$;

-- The partitions of a table for days before a day.
create function app.overdue_days(parent regclass, before date) returns table (partition regclass, day date)
language sql stable set search_path = pg_catalog as $$
  select c.oid::regclass, to_date(right(c.relname, 8), 'YYYYMMDD')
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = parent and c.relname ~ '_\d{8}$' and to_date(right(c.relname, 8), 'YYYYMMDD') < before
$$;

-- Drops the oldest partition before a day that has begun, and returns true. Without one it deletes what is not needed any
-- more of the partition that outlives them, and returns false. What is still needed is moved there: events, and deliveries
-- that ended on that day or later. Raises 55P03 where a session holds a table.
create function app.drop_day(parent regclass, before date) returns boolean
language plpgsql security definer set search_path = pg_catalog set lock_timeout = '200ms' set timezone = 'UTC' as $$
declare
  oldest regclass;
  oldest_day date;
  needed text[];
begin
  if before > now()::date then
    raise exception 'the day % has not begun: nothing of today is dropped', before;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('causeway.days:' || parent::text, 0));
  select o.partition, o.day into oldest, oldest_day from app.overdue_days(parent, before) o order by o.day limit 1;
  if oldest is null then
    case parent
      when 'app.event'::regclass then
        delete from app.event_kept e where e.created_at < before::timestamptz and e.id not in (
          select app.needed_events('-infinity', before::timestamptz));
        delete from app.event_day d where d.day < before;
        delete from app.event_resource r where r.last_at < before::timestamptz and (
          r.has_ended or starts_with(r.resource, 'smart_deposit:') and not exists (
            select from app.smart_deposit d
            where d.deposit_id = substr(r.resource, length('smart_deposit:') + 1) and not d.is_final
          ));
      when 'app.webhook_delivery_ended'::regclass then
        delete from app.webhook_delivery_kept where ended_at < before::timestamptz;
      when 'app.webhook_attempt'::regclass then
        delete from app.webhook_attempt_kept where started_at < before::timestamptz;
    end case;
    return false;
  end if;
  -- Nothing is computed for a table that a session holds. The end of the block gives the lock back, by its exception.
  begin
    execute format('lock table only %s in access exclusive mode', parent);
    raise exception using errcode = 'DAY00';
  exception when sqlstate 'DAY00' then
  end;
  if parent = 'app.event'::regclass then
    needed := array(select app.needed_events(oldest_day::timestamptz, (oldest_day + 1)::timestamptz));
  end if;
  -- The default partition refuses rows of a day that is attached: they are moved under the lock.
  execute format('alter table %s detach partition %s', parent, oldest);
  case parent
    when 'app.event'::regclass then
      -- A replay may have taken some meanwhile.
      needed := needed || array(select d.event_id from app.webhook_delivery d
        where d.event_at >= oldest_day::timestamptz and d.event_at < (oldest_day + 1)::timestamptz);
      execute format('insert into app.event_kept select * from %s where id = any($1)', oldest) using needed;
    when 'app.webhook_delivery_ended'::regclass then
      execute format('insert into app.webhook_delivery_kept select * from %s where ended_at >= $1', oldest)
        using before::timestamptz;
    else
  end case;
  execute format('drop table %s', oldest);
  return true;
end $$;

revoke all on function app.make_day, app.overdue_days, app.needed_events, app.drop_day, app.forget_endpoint,
  app.report_smart_deposits from public;

-- Down Migration
drop function app.make_day, app.drop_day, app.overdue_days, app.needed_events;
drop table app.keeper_transaction, app.keeper_part, app.keeper_intent, app.keeper_chain, app.unplaced_transfer,
  app.foreign_transfer, app.unexplained_balance,
  app.smart_deposit, app.smart_deposit_registration, app.smart_deposit_address;
drop table app.webhook_attempt, app.webhook_delivery, app.webhook_replay, app.webhook_header, app.webhook_secret;
drop table app.webhook_endpoint;
drop sequence app.webhook_attempt_id;
drop function app.forget_endpoint;
drop table app.seen_fact, app.feed_cursor, app.event, app.smart_deposit_report, app.event_day, app.event_resource,
  app.event_sequence;
drop function app.report_smart_deposits;
drop function app.reserve_transit_quote;
drop table app.delayed_order, app.transit_quoted, app.transit_pause;
drop schema read cascade;
drop function app.begin_empty_index;
drop table app.index_high_water, app.index_rebuild, app.index_build;
drop function app.forget_old_requests;
drop table app.request_log, app.api_usage, app.rate_limit;
drop table app.published_read, app.idempotency_key;
drop sequence app.request_log_id;
drop table app.console_invitation, app.organization_member, app.console_attempt, app.console_two_factor,
  app.console_verification, app.console_credential, app.console_session, app.console_user;
drop table app.audit, app.api_key, app.organization;
