#!/bin/sh
# Run once by the image of Postgres, in an empty volume: the roles and the database of docs/operating/production.md.
set -eu
secret() { cat "/run/secrets/$1"; }
psql --quiet --set ON_ERROR_STOP=1 --username postgres \
  --set owner="$(secret database-owner)" --set indexer="$(secret database-indexer)" \
  --set api="$(secret database-api)" --set worker="$(secret database-worker)" <<'SQL'
create role causeway login password :'owner';
create role causeway_indexer login password :'indexer';
create role causeway_api login password :'api';
create role causeway_worker login password :'worker';
grant causeway_indexer to causeway;
create database causeway;
revoke all on database causeway from public;
grant connect, create, temporary on database causeway to causeway;
grant connect, create, temporary on database causeway to causeway_indexer;
grant connect on database causeway to causeway_api, causeway_worker;
SQL
