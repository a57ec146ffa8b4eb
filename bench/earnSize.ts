import { parseArgs } from 'node:util'
import { gets, measure } from './measure.ts'
import { accountAddress } from './vaultFacts.ts'
import { type VaultIndex, withVaultIndex } from './vaultIndex.ts'
import { userOf } from './withdrawalFacts.ts'

/**
 * Measures every list of Earn over ten million transfers of shares and a million withdrawal requests, in
 * 200 deployments on two chains with real nodes, each with an event in every hour of a year: the maximum
 * rate of 16 connections, and the latencies at half of it, from the time when a request was due.
 * `node bench/earnSize.ts [--transfers 10000000] [--orders 1000000] [words of the names of the cases to run]` ends with 1 if
 * a bound is broken. Seeding takes ten minutes. DATABASE_URL may name an empty database, which is seeded and kept, or one that
 * was seeded so.
 */
const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    transfers: { type: 'string', default: '10000000' },
    orders: { type: 'string', default: '1000000' },
  },
})
const SIZE = {
  hours: 8_760,
  accounts: 2_000,
  transfers: Number(values.transfers),
  orders: Number(values.orders),
}
const P99_MS = 30
const LEAST_PER_SECOND = 500
const DAY = 86_400
const YEAR = 365 * DAY
const print = (line: string) => process.stdout.write(`${line}\n`)

const startedAt = performance.now()
await withVaultIndex(SIZE, async (index) => {
  print(`seeded in ${Math.round((performance.now() - startedAt) / 1_000)} s`)
  for (const [name, paths] of Object.entries(casesOf(index))) {
    if (wanted.length > 0 && !wanted.some((word) => name.includes(word))) continue
    const requests = gets(paths.map((path) => `/v2/earn/${path}`))
    const { maximum, p50, p90, p99, max } = await measure({ name, port: index.port, requests })
    const latencies = [p50, p90, p99, max].map((value) => value.toFixed(1)).join(' / ')
    const holds = p99 <= P99_MS && maximum >= LEAST_PER_SECOND
    const verdict = holds ? 'holds ' : 'BROKEN'
    print(
      `${verdict}  ${name.padEnd(28)} ${maximum.toFixed(0).padStart(5)}/s   at half of it, ms: p50 / p90 / p99 / max ${latencies}`,
    )
    if (!holds) process.exitCode = 1
  }
})

/** Paths by case. The largest queue has a fifth of all requests, 5,000 of which wait. */
function casesOf({ queues }: VaultIndex): Record<string, string[]> {
  const [largest, ordinary] = [queues[0]?.vault ?? '', queues[7]?.vault ?? '']
  const path = (list: string, params: Record<string, string | number>) =>
    `${list}?${Object.entries(params)
      .map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
      .join('&')}`
  const list = (name: string, filter: string, params = {}) => path(name, { filter, ...params })
  const whole = { pageSize: 100 }
  const year = { ...whole, lookback: YEAR }
  const end = Math.floor(Date.now() / 1_000)
  const ofLargest = { vaultAddress: largest, startTime: end - YEAR + 1_000, endTime: end - 1_000 }
  const users = Array.from({ length: 500 }, (_, i) => accountAddress(1 + ((i * 773) % 2_000)))
  const payers = Array.from({ length: 500 }, (_, i) => userOf(1 + ((i * 773) % 2_000) * 37))
  return {
    'positions, all': users.map((user) => path('userPositions', { ...whole, userAddress: user })),
    'positions, busiest user': [
      path('userPositions', { ...whole, userAddress: accountAddress(1) }),
    ],
    'positions, one vault': users.map((user) =>
      list('userPositions', `vaultAddress = ${ordinary}`, { userAddress: user }),
    ),
    'activity, busiest user': [list('activity', `userAddress = ${accountAddress(1)}`, whole)],
    'activity, all users': users.map((user) => list('activity', `userAddress = ${user}`)),
    'activity, one vault': [list('activity', `vaultAddress = ${ordinary}`, whole)],
    'activity, deposits of the busiest': [
      list('activity', `userAddress = ${accountAddress(1)} AND type = DEPOSIT`, whole),
    ],
    'activity, busiest user in a vault': [
      list('activity', `userAddress = ${accountAddress(1)} AND vaultAddress = ${ordinary}`, whole),
    ],
    'requests, newest': [list('withdrawalRequests', '')],
    'requests of users': payers.map((user) => list('withdrawalRequests', `userAddress = ${user}`)),
    'requests of receivers': payers.map((user) =>
      list('withdrawalRequests', `receiverAddress = ${user}`),
    ),
    'a request by its id': Array.from(
      { length: 500 },
      (_, i) => `withdrawalRequests/${queues[7]?.chainId}:${queues[7]?.queue}:${1 + i}`,
    ),
    'requests, largest queue': [list('withdrawalRequests', `vaultAddress = ${largest}`, whole)],
    'requests, all that wait': [list('withdrawalRequests', 'status = PENDING', whole)],
    'requests, rare': [
      list('withdrawalRequests', `vaultAddress = ${ordinary} AND status = REFUNDED`, whole),
    ],
    'requests, no index': [list('withdrawalRequests', `userAddress != ${payers[0]}`, whole)],
    'growth, a year of days': [list('vaultApys', `vaultAddress = ${ordinary}`, year)],
    'growth, all vaults': [path('vaultApys', whole)],
    'growth now, one vault': [
      list('vaultApys', `vaultAddress = ${ordinary}`, { orderByTimestamp: 'desc', pageSize: 1 }),
    ],
    'growth now, 100 vaults': [path('vaultApys', { ...whole, orderByTimestamp: 'desc' })],
    'worth, a year of days': [list('vaultTvls', `vaultAddress = ${ordinary}`, year)],
    'worth, all vaults and now': [path('vaultTvls', { ...whole, orderByTimestamp: 'desc' })],
    'volume of a year': [path('withdrawalVolumes', ofLargest)],
    'volumes of a year by day': [
      path('withdrawalVolumes', { ...ofLargest, ...whole, interval: DAY }),
    ],
    'shortfalls, all': [path('liquidityShortfalls', whole)],
    'shortfalls, largest queue': [list('liquidityShortfalls', `vaultAddress = ${largest}`)],
    'supply caps': [path('supplyCaps', whole)],
    compositions: [path('vaultCompositions', whole)],
    'vault assets': [path('vaultAssets', whole)],
    vaults: [path('vaults', whole)],
  }
}
