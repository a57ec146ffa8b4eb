#!/usr/bin/env bash
# Installs and starts one clone ($1) with the `node` in folder $2, calls it and stops it. Fails if a
# process or a file of the start is left.
set -euo pipefail
cd "$1"
export PATH="$2:$PATH"
log=$PWD/start.log
printf 'node %s, user %s\n' "$(node --version)" "$(id -un)"

fail() {
  printf 'FAILED: %s\n' "$1" >&2
  [ -f "$log" ] && cat "$log" >&2
  exit 1
}
now_ms() { node -p 'Date.now()'; }
run_value() { node -p "JSON.parse(fs.readFileSync('.causeway/run.json'))$1"; }

npm ci --silent
installed=$(now_ms)
npm start >"$log" 2>&1 &
npm_pid=$!
trap 'kill -TERM $npm_pid 2>/dev/null || true; wait $npm_pid 2>/dev/null || true' EXIT

# The last line of the table.
until grep -q '^  curl .*graphql' "$log"; do
  kill -0 "$npm_pid" 2>/dev/null || fail 'npm start ended'
  [ $(($(now_ms) - installed)) -lt 120000 ] || fail 'no table after 120 s'
  sleep 0.1
done
printf 'from npm ci to the table: %s ms\n' $(($(now_ms) - installed))

[ "$(node -p "(fs.statSync('.causeway/run.json').mode & 0o777).toString(8)")" = 600 ] || fail 'run.json is not 0600'
keys=$(node -p "Object.keys(JSON.parse(fs.readFileSync('.causeway/run.json'))).sort().join()")
[ "$keys" = accounts,addressBook,apiKey,apiUrl,databaseUrl,graphqlUrl,pids,rpcUrls ] || fail "run.json has $keys"

grep '^  curl ' "$log" >curls
while read -r line; do
  answer=$(bash -c "$line") || fail "$line"
  grep -qE '"id":"0x|"orders":|"routes":|"vaults":|"data":\{"_meta"' <<<"$answer" || fail "$line answered $answer"
done <curls
printf 'one order: %.120s…\n' "$(bash -c "$(head -1 curls)")"

pids=$(run_value '.pids' | grep -oE '[0-9]+,?$' | tr -d ,)
ports=$(run_value '' | grep -oE '127\.0\.0\.1:[0-9]+' | cut -d: -f2 | sort -u)
[ -n "$pids" ] && [ -n "$ports" ] || fail 'run.json names no process or port'
stopping=$(now_ms)
kill -TERM "$npm_pid"
wait "$npm_pid" || true
printf 'stopped after %s ms\n' $(($(now_ms) - stopping))

for pid in $pids; do ! kill -0 "$pid" 2>/dev/null || fail "process $pid is left"; done
for port in $ports; do
  ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || fail "port $port is still served"
done
left=$(pgrep -fa -- "$PWD/" | grep -v tryClone || true)
[ -z "$left" ] || fail "left: $left"
[ ! -e .causeway/run.json ] || fail 'run.json is left'
npm run --silent reset >/dev/null
[ ! -e .causeway ] || fail 'npm run reset left the data'
