-- Up Migration
-- The cost of the mined transaction, in wei. Null while none is mined, and for transactions from before this migration.
alter table app.keeper_intent add column cost_wei numeric(78);
-- For the sum of the last hour.
create index on app.keeper_intent (chain_id, created_at);

-- Down Migration
drop index app.keeper_intent_chain_id_created_at_idx;
alter table app.keeper_intent drop column cost_wei;
