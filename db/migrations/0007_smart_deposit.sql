-- Up Migration
-- Kept for ever with its factory: a newer factory changes no address that was given out.
create table app.smart_deposit_address (
  chain_id integer not null,
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  factory text not null check (factory ~ '^0x[0-9a-f]{40}$'),
  user_destination_address text not null check (user_destination_address ~ '^0x[0-9a-f]{40}$'),
  vault_address text not null check (vault_address ~ '^0x[0-9a-f]{40}$'),
  input_token text not null check (input_token ~ '^0x[0-9a-f]{40}$'),
  customer_id text check (customer_id ~ '^[a-zA-Z0-9_-]{1,256}$'),
  created_at timestamptz not null default now(),
  primary key (chain_id, address)
);

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

-- One row per payment to an address and attempt to settle it.
create table app.smart_deposit (
  -- A hash of chain id, transaction, place of the log in the transaction, and attempt.
  deposit_id text primary key check (deposit_id ~ '^0x[0-9a-f]{64}$'),
  chain_id integer not null,
  address text not null,
  -- The payment's id in the factory, which settles each id once; all attempts have the same.
  receipt_id text not null check (receipt_id ~ '^0x[0-9a-f]{64}$'),
  attempt integer not null check (attempt >= 1),
  received_amount numeric(78) not null check (received_amount > 0),
  receipt_tx_hash text not null,
  -- The position among the logs of the transaction: a reorganisation that moves the transaction keeps it.
  receipt_log_position integer not null,
  receipt_block_number bigint not null,
  receipt_block_hash text not null,
  -- retrying: an attempt after a retained one, without events until it ends.
  status text not null
    check (status in ('pending', 'retrying', 'confirmed', 'finalized', 'failed', 'reverted')),
  remediation text check (remediation in ('refunded', 'recovered', 'retained')),
  error text,
  minted_amount numeric(78),
  -- The keeper's transaction that ended it: a forward, refund or recovery.
  settle_tx_hash text,
  settle_block_number bigint,
  settle_block_hash text,
  retry_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (receipt_id, attempt),
  foreign key (chain_id, address) references app.smart_deposit_address (chain_id, address),
  check ((status = 'failed') = (remediation is not null))
);
create index on app.smart_deposit (chain_id, address);

-- Down Migration
drop table app.smart_deposit, app.smart_deposit_registration, app.smart_deposit_address;
