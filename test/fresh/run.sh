#!/usr/bin/env bash
# Clones, installs, starts and calls the product as a new contributor would: as root (in a folder closed
# to all others) and as an ordinary user, with Node 20 and Node 24 on the path. Run by an ordinary user,
# it does only that user's part. It tests the committed state; the ports are the default ones unless
# the environment names others (API_PORT, POSTGRES_PORT, ANVIL_BASE_PORT,
# ATTESTATION_PORT).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
user=causeway-fresh-$$
work=$(mktemp -d)
chmod 755 "$work"

clean_up() {
  rm -rf "$work" "${closed:-}"
  if id "$user" >/dev/null 2>&1; then userdel --remove "$user" 2>/dev/null; fi
}
trap clean_up EXIT

# A folder with only this major version's `node`; npm is the machine's.
provide_node() {
  local major=$1 found
  for found in "$(command -v node)" "$root/node_modules/.bin/node"; do
    [ -x "$found" ] && [ "$("$found" -p 'process.versions.node.split(".")[0]')" = "$major" ] && break
    found=
  done
  if [ -z "$found" ]; then
    npm install --silent --no-save --prefix "$work/install-$major" "node@$major"
    found=$work/install-$major/node_modules/.bin/node
  fi
  mkdir -p "$work/node-$major"
  cp -L "$found" "$work/node-$major/node"
}

try() {
  local name=$1 folder=$2 major=$3
  shift 3
  printf '\n== %s, Node %s\n' "$name" "$major"
  git clone --quiet "$root" "$folder/clone $major"
  if [ "$name" = user ] && [ "$(id -u)" = 0 ]; then chown -R "$user" "$folder/clone $major"; fi
  "$@" bash "$work/tryClone.sh" "$folder/clone $major" "$work/node-$major"
  rm -rf "$folder/clone $major"
}

cp "$here/tryClone.sh" "$work/"
for major in 20 24; do provide_node "$major"; done

if [ "$(id -u)" = 0 ]; then
  closed=$(mktemp -d "${HOME:-/root}/causeway-fresh.XXXXXX") # 0700: nobody else can pass
  for major in 20 24; do try root "$closed" "$major"; done
  useradd --create-home "$user"
  home=$(getent passwd "$user" | cut -d: -f6)
  for major in 20 24; do
    try user "$home" "$major" runuser -u "$user" -- env HOME="$home" npm_config_cache="$home/.npm"
  done
else
  mkdir "$work/home"
  for major in 20 24; do try user "$work/home" "$major"; done
fi
printf '\nAll good.\n'
