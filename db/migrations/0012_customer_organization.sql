-- Up Migration
-- The organization whose customer id is part of the address. Null without a customer id, and for the addresses
-- that were registered before organizations were part of them.
alter table app.smart_deposit_address
  add column organization_id uuid references app.organization (id),
  add constraint smart_deposit_address_organization_id_check
    check (organization_id is null or customer_id is not null);

drop index app.smart_deposit_address_of;
create unique index smart_deposit_address_of on app.smart_deposit_address
  (user_destination_address, vault_address, input_token, chain_id, customer_id, organization_id)
  nulls not distinct;

-- Down Migration
drop index app.smart_deposit_address_of;
create unique index smart_deposit_address_of on app.smart_deposit_address
  (user_destination_address, vault_address, input_token, chain_id, customer_id) nulls not distinct;
alter table app.smart_deposit_address drop column organization_id;
