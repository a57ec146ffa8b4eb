-- Up Migration
-- The five tables of Better Auth (docs/design/access-keys-and-limits.md). Their ids and types are those of the library.
create table app.console_user (
  id text primary key,
  name text not null,
  email text not null unique,
  email_verified boolean not null default false,
  image text,
  two_factor_enabled boolean not null default false,
  -- May do what `npm run admin` does, in every organization.
  is_operator boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table app.console_session (
  id text primary key,
  user_id text not null references app.console_user (id) on delete cascade,
  -- Useless without the signature that the cookie has beside it, which APP_SECRET makes.
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  -- The last proof of who is there: a password or a code.
  authenticated_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on app.console_session (user_id);

-- A way to sign in: a password (scrypt), or an account of an OIDC provider.
create table app.console_credential (
  id text primary key,
  user_id text not null references app.console_user (id) on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id)
);
create index on app.console_credential (user_id);

create table app.console_verification (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on app.console_verification (identifier);

-- Secret and recovery codes are encrypted with a key from APP_SECRET.
create table app.console_two_factor (
  id text primary key,
  user_id text not null references app.console_user (id) on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default true,
  failed_verification_count integer not null default 0,
  locked_until timestamptz
);
create index on app.console_two_factor (user_id);

-- Attempts to sign in, per account and per address, in a window. `name` holds no email address.
create table app.console_attempt (
  name text primary key,
  attempts integer not null,
  ends_at timestamptz not null
);
create index on app.console_attempt (ends_at);

create table app.organization_member (
  organization_id uuid not null references app.organization (id),
  user_id text not null references app.console_user (id) on delete cascade,
  role text not null check (role in ('owner', 'developer', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (organization_id, user_id)
);
create index on app.organization_member (user_id);

-- A link by which a person becomes a member, an operator, or both.
create table app.console_invitation (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid references app.organization (id),
  email text not null,
  role text check (role in ('owner', 'developer', 'viewer')),
  is_operator boolean not null default false,
  -- SHA-256 of the 256 random bits in the link.
  token_hash bytea not null unique,
  invited_by text not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  check ((organization_id is null) = (role is null)),
  check (organization_id is not null or is_operator)
);
create index on app.console_invitation (organization_id, created_at);

alter table app.api_key drop constraint api_key_permissions_check;
alter table app.api_key add constraint api_key_permissions_check check (permissions <@
  array['admin', 'earn:read', 'earn:prepare', 'keys', 'members', 'smart-deposits', 'webhooks']);

-- Down Migration
alter table app.api_key drop constraint api_key_permissions_check;
update app.api_key set permissions =
  array_remove(array_remove(array_remove(permissions, 'admin'), 'keys'), 'members');
alter table app.api_key add constraint api_key_permissions_check
  check (permissions <@ array['earn:read', 'earn:prepare', 'smart-deposits', 'webhooks']);
drop table app.console_invitation, app.organization_member, app.console_attempt,
  app.console_two_factor, app.console_verification, app.console_credential, app.console_session,
  app.console_user;
