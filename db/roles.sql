-- The rights of the roles that the processes use, besides the owner. Run by the owner after each migration
-- (db/grantRights.ts), in one transaction; it may run again at any time. A right that is not listed here is taken away.
-- docs/operating/production.md has the statements that create the roles.

revoke all on all tables in schema app from causeway_indexer, causeway_api, causeway_worker;
revoke all on all sequences in schema app from causeway_indexer, causeway_api, causeway_worker;
grant usage on schema app to causeway_indexer, causeway_api, causeway_worker;
grant select on app.migration to causeway_indexer, causeway_api, causeway_worker;

-- The indexer: builds, and how far they are. It sees nothing of organizations.
grant select, insert, update, delete on app.index_build, app.index_rebuild, app.index_high_water to causeway_indexer;

-- The api. It writes no build, and no event but pings.
grant select on app.index_build to causeway_api;
-- Operators order rebuilds.
grant select, insert, update on app.index_rebuild to causeway_api;
grant select, insert, update on app.index_high_water to causeway_api;
grant select, insert, update on app.organization, app.api_key to causeway_api;
-- The audit log is only added to.
grant select, insert on app.audit to causeway_api;
grant select, insert, update, delete on
  app.organization_member, app.console_user, app.console_session, app.console_credential, app.console_verification,
  app.console_two_factor, app.console_attempt, app.console_invitation, app.rate_limit, app.api_usage,
  app.transit_pause, app.transit_quoted, app.idempotency_key, app.published_read
  to causeway_api;
grant select, insert on app.event to causeway_api;
grant select, insert, update on app.event_sequence, app.event_resource to causeway_api;
grant select, insert on app.event_day to causeway_api;
grant select on app.smart_deposit_report to causeway_api;
grant select, insert, update, delete on app.webhook_endpoint to causeway_api;
grant select, insert, update on app.webhook_delivery to causeway_api;
grant select, insert, update, delete on app.webhook_replay to causeway_api;
grant select on app.webhook_attempt to causeway_api;
-- The api makes signing secrets and ends them, but cannot read them, sealed as they are.
grant select (endpoint_id, expires_at), insert (endpoint_id, sealed), update (expires_at), delete
  on app.webhook_secret to causeway_api;
grant select (endpoint_id, name), insert, delete on app.webhook_header to causeway_api;
grant select, insert on app.smart_deposit_address, app.smart_deposit_registration to causeway_api;
-- A second registration reads the first one by an update without effect.
grant update (organization_id) on app.smart_deposit_registration to causeway_api;
grant select on app.smart_deposit, app.foreign_transfer, app.unplaced_transfer, app.unexplained_balance,
  app.keeper_chain, app.keeper_intent, app.keeper_part, app.keeper_transaction to causeway_api;
-- The order of a refund.
grant update (refund_ordered_at, is_small, retry_at) on app.smart_deposit to causeway_api;
do $$
declare log_table regclass;
begin
  -- app.forget_old_requests empties the partitions of past days.
  for log_table in
    select oid from pg_class where relnamespace = 'app'::regnamespace and relname ~ '^request_log(_\d+)?$'
      and relkind in ('r', 'p')
  loop
    execute format('grant select, insert, delete, truncate on %s to causeway_api', log_table);
  end loop;
end $$;
grant usage on sequence app.request_log_id to causeway_api;

-- The worker: events, deliveries and smart deposits. It drops nothing but days that are over, whole, by the
-- functions of the migration, and sees no API key.
grant execute on function app.make_day, app.overdue_days, app.drop_day to causeway_worker;
grant select on app.index_build, app.index_rebuild, app.organization, app.transit_pause to causeway_worker;
grant select, insert, update on app.index_high_water to causeway_worker;
grant select, insert, update, delete on app.delayed_order, app.seen_fact, app.feed_cursor to causeway_worker;
grant select, insert, update on app.event_sequence, app.event_resource to causeway_worker;
grant select, insert on app.event_day to causeway_worker;
grant select, insert on app.event to causeway_worker;
grant select on app.webhook_secret, app.webhook_header to causeway_worker;
grant insert on app.audit to causeway_worker;
-- A row lock needs the right to update a column.
grant select, update (status, disabled_reason, disabled_at, updated_at, failures_in_row, failing_since, failing_reported_at)
  on app.webhook_endpoint to causeway_worker;
grant select, update (position, event_count) on app.webhook_replay to causeway_worker;
-- What has ended moves from the waiting ones into its day, by a deletion and an insert.
grant select, insert, update, delete on app.webhook_delivery to causeway_worker;
grant select, insert on app.webhook_attempt to causeway_worker;
grant usage on sequence app.webhook_attempt_id to causeway_worker;
grant select on app.smart_deposit_address, app.smart_deposit_registration to causeway_worker;
grant select, insert, update on app.smart_deposit, app.keeper_chain, app.keeper_intent, app.keeper_transaction
  to causeway_worker;
grant select, insert on app.keeper_part to causeway_worker;
grant select, insert, update, delete on app.unexplained_balance, app.foreign_transfer, app.unplaced_transfer
  to causeway_worker;

-- Jobs: the api adds them in the transactions of its changes, the worker runs them. graphile-worker switches row
-- security on for its tables, without a policy for anybody but their owner.
grant usage on schema graphile_worker to causeway_api, causeway_worker;
revoke all on all tables in schema graphile_worker from causeway_api, causeway_worker;
grant select, insert, update on all tables in schema graphile_worker to causeway_api;
grant select, insert, update, delete on all tables in schema graphile_worker to causeway_worker;
grant usage on all sequences in schema graphile_worker to causeway_api, causeway_worker;
do $$
declare jobs_table regclass;
begin
  for jobs_table in
    select oid from pg_class where relnamespace = 'graphile_worker'::regnamespace and relrowsecurity
  loop
    execute format('drop policy if exists causeway on %s', jobs_table);
    execute format(
      'create policy causeway on %s to causeway_api, causeway_worker using (true) with check (true)', jobs_table
    );
  end loop;
end $$;

-- The index. The indexer owns what it makes; the others read it, also what is made later.
alter default privileges for role causeway_indexer grant usage on schemas to causeway_api, causeway_worker;
alter default privileges for role causeway_indexer grant select on tables to causeway_api, causeway_worker;
