-- Up Migration

-- The used part of each quota in its present window, read and written by db/quotaStore.ts. The columns are
-- those of rate-limiter-flexible. Every update changes one row and no index, so it stays on its page.
create table app.rate_limit (
  key varchar(255) primary key,
  points integer not null,
  -- Unix milliseconds.
  expire bigint
) with (fillfactor = 50);

-- Down Migration
drop table app.rate_limit;
