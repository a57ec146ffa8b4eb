-- Up Migration
create index on app.smart_deposit_address (chain_id, created_at);

-- Per chain, the newest block whose logs were read for payments to smart deposit addresses.
create table app.keeper_chain (
  chain_id integer primary key,
  -- Counted up by every worker that takes the chain over: a worker with an older number cannot write.
  lease bigint not null default 0,
  -- All logs up to this block were read; the block had this hash.
  block_number bigint,
  block_hash text,
  -- The head at the last comparison of all rows with the chain. While this block is on the chain, so are they.
  compared_number bigint,
  compared_hash text,
  updated_at timestamptz not null default now()
);

alter table app.smart_deposit
  -- The depositor through which it goes into the vault: the address book's, until the factory's was read.
  add column depositor_address text,
  -- The number of reorganisations that took back its payment, and its settlement, after their events.
  add column receipt_reverts integer not null default 0,
  add column settle_reverts integer not null default 0,
  -- The number of failed tries to settle it, and since when the reads for it have failed.
  add column tries integer not null default 0,
  add column failing_since timestamptz,
  -- True when nothing can change it any more.
  add column is_final boolean not null default false;
create index on app.smart_deposit (chain_id, receipt_id) where not is_final;

-- Balances for which the logs were read again and had no new payment.
create table app.smart_deposit_look (
  chain_id integer not null,
  address text not null,
  balance numeric(78) not null,
  looks integer not null,
  primary key (chain_id, address),
  foreign key (chain_id, address) references app.smart_deposit_address (chain_id, address)
);

-- Transfers of other tokens to smart deposit addresses: left there until an administrator decides.
create table app.foreign_transfer (
  receipt_id text primary key check (receipt_id ~ '^0x[0-9a-f]{64}$'),
  chain_id integer not null,
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
  settle_tx_hash text,
  error text,
  foreign key (chain_id, address) references app.smart_deposit_address (chain_id, address)
);

-- The keeper's intent for each of its nonces, written before anything is signed.
create table app.keeper_intent (
  chain_id integer not null,
  keeper text not null check (keeper ~ '^0x[0-9a-f]{40}$'),
  nonce bigint not null,
  kind text not null check (kind in ('forward', 'refund', 'recover', 'cancel')),
  receipt_id text not null,
  -- Null for a foreign transfer.
  deposit_id text references app.smart_deposit (deposit_id),
  target text not null,
  data text not null,
  gas bigint not null,
  -- The reason for a refund or recovery.
  why text,
  -- open: no transaction of this nonce is mined. lost: a transaction that the keeper did not sign for it
  -- is finalized.
  state text not null check (state in ('open', 'mined', 'final', 'lost')),
  mined_hash text,
  mined_block_number bigint,
  mined_block_hash text,
  created_at timestamptz not null default now(),
  primary key (chain_id, keeper, nonce)
);
create index on app.keeper_intent (receipt_id);
create index on app.keeper_intent (chain_id) where state in ('open', 'mined');

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

-- Down Migration
drop table app.keeper_transaction, app.keeper_intent, app.foreign_transfer, app.smart_deposit_look;
alter table app.smart_deposit drop column depositor_address, drop column receipt_reverts,
  drop column settle_reverts, drop column tries, drop column failing_since, drop column is_final;
drop table app.keeper_chain;
drop index app.smart_deposit_address_chain_id_created_at_idx;
