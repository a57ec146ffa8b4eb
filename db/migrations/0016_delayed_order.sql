-- Up Migration
-- Orders that passed the 99th percentile of their route while they were open: each has its event once.
create table app.delayed_order (
  order_id text primary key,
  recorded_at timestamptz not null default now()
);
create index on app.delayed_order (recorded_at);

-- Down Migration
drop table app.delayed_order;
