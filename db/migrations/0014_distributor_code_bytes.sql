-- Up Migration

-- Depositors take a code of any length; Transit's bytes32 is the longest that serves both.
alter table app.organization drop constraint organization_default_distributor_code_check;
alter table app.organization add constraint organization_default_distributor_code_check
  check (default_distributor_code ~ '^0x([0-9a-f]{2}){1,32}$');
