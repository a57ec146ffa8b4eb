-- Up Migration

-- What was taken of each allowance in its present window; db/allowanceStore.ts reads and writes it, and
-- its columns are as rate-limiter-flexible wants them. Every update is of one row and no index, so that
-- it stays on its page.
create table app.rate_limit (
  key varchar(255) primary key,
  points integer not null,
  -- Unix milliseconds.
  expire bigint
) with (fillfactor = 50);

-- Down Migration
drop table app.rate_limit;
