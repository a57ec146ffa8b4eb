-- Up Migration
-- A Postgres pattern repeats at most 255 times: with {1,256} the check itself failed.
alter table app.smart_deposit_address
  drop constraint smart_deposit_address_customer_id_check,
  add constraint smart_deposit_address_customer_id_check
    check (customer_id ~ '^[a-zA-Z0-9_-]+$' and length(customer_id) <= 256);

-- The same inputs have the same address, also in two processes with different address books.
create unique index smart_deposit_address_of on app.smart_deposit_address
  (user_destination_address, vault_address, input_token, chain_id, customer_id) nulls not distinct;
create index on app.smart_deposit_address (address);
create index on app.smart_deposit_address (customer_id) where customer_id is not null;
create index on app.smart_deposit_registration (organization_id, created_at desc, chain_id desc, address desc);

-- An organization's smart deposits in the order of their first events.
create index on app.event (organization_id, organization_sequence desc)
  where resource_sequence = 1 and starts_with(resource, 'smart_deposit:');

-- Wakes the requests that wait for smart deposits, once per transaction, at its commit.
create function app.notify_smart_deposit() returns trigger language plpgsql as $$
begin
  if exists (select from added where starts_with(resource, 'smart_deposit:')) then
    perform pg_notify('causeway_smart_deposit', '');
  end if;
  return null;
end $$;
create trigger notify_smart_deposit after insert on app.event
  referencing new table as added
  for each statement execute function app.notify_smart_deposit();

-- Down Migration
drop trigger notify_smart_deposit on app.event;
drop function app.notify_smart_deposit();
drop index app.event_organization_id_organization_sequence_idx;
drop index app.smart_deposit_registration_organization_id_created_at_chain_i_idx;
drop index app.smart_deposit_address_customer_id_idx;
drop index app.smart_deposit_address_address_idx;
drop index app.smart_deposit_address_of;
