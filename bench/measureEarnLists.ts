import type { BenchOptions } from './figure.ts'
import { measureLists } from './measureLists.ts'
import { accountAddress } from './vaultFacts.ts'
import { type VaultIndex, withVaultIndex } from './vaultIndex.ts'
import { userOf } from './withdrawalFacts.ts'

/** Over all chains together. */
export type EarnSize = { transfers: number; requests: number }

/** Two have vaults. */
const CHAINS = 6
const P99_MS = 30
const LEAST_PER_SECOND = 500
const DAY = 86_400
const YEAR = 365 * DAY

/**
 * Measures every list of Earn over transfers of shares and withdrawal requests, in 200 deployments on two of six chains,
 * with real nodes, each with an event in every hour of a year. Every chain has a new head in its block time. Ten million
 * transfers and a million requests take ten minutes to seed. DATABASE_URL may name an empty database, which is seeded and kept, or one that was seeded so.
 */
export async function measureEarnLists(options: BenchOptions, { transfers, requests }: EarnSize) {
  const [all, waiting] = [transfers, requests].map((count) => count.toLocaleString('en-US'))
  const group = `Lists of Earn: ${all} transfers, ${waiting} withdrawal requests, six chains`
  const size = { hours: 8_760, accounts: 2_000, transfers, orders: requests, chainCount: CHAINS }
  await withVaultIndex(size, async (index) => {
    const cases = Object.entries(casesOf(index)).map(([name, paths]) => ({
      name,
      paths: paths.map((path) => `/v2/earn/${path}`),
      p99Ms: P99_MS,
      leastPerSecond: LEAST_PER_SECOND,
    }))
    await measureLists(options, { group, port: index.port, cases })
  })
}

/** Paths by case. The largest queue has a fifth of all requests; of a million, 5,000 of these wait. */
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
      (_, i) =>
        `withdrawalRequests/${queues[7]?.chainId}:${queues[7]?.queue}:${1 + (i % (queues[7]?.orders ?? 1))}`,
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
