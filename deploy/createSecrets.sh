#!/bin/sh
# Makes the secrets of compose.yaml that can be drawn, as files in deploy/secrets. Keeps those that exist, also URLs of
# another Postgres than that of compose.yaml. Prints the names of the files that only you can write.
set -eu
umask 077
folder=$(dirname "$0")/secrets
mkdir -p "$folder"
cd "$folder"
draw() { [ -s "$1" ] || openssl rand -hex 32 >"$1"; }
postgres=postgres:5432/causeway

for name in app-secret secrets-key grafana-admin database-superuser; do draw "$name"; done
for role in owner indexer api worker; do
  draw "database-$role"
  user=causeway_$role
  [ "$role" = owner ] && user=causeway
  url=database-url-$role
  if [ -s "$url" ] && ! grep -q "@$postgres\$" "$url"; then continue; fi
  rm -f "$url"
  printf 'postgres://%s:%s@%s\n' "$user" "$(cat "database-$role")" "$postgres" >"$url"
done
for name in quote-signer keeper rpc-url-1 rpc-url-4663 rpc-url-8453 rpc-url-999 rpc-url-2201 rpc-url-11155111; do
  [ -s "$name" ] || echo "write $folder/$name"
done
# The containers run as different users. The folder itself is closed to everybody else.
chmod 444 -- *
