import { migrate } from '../db/migrate.ts'
import { connect } from '../db/sql.ts'
import { selectUnpayable } from '../domain/earn/withdrawals/selectUnpayable.ts'
import { ask } from '../test/support/ask.ts'
import { percentile } from '../test/support/percentile.ts'
import { startBenchApi } from './benchApi.ts'
import { FIRST_ORDER_AT } from './benchChains.ts'
import { startBenchPostgres } from './benchPostgres.ts'
import { gets, measure } from './measure.ts'
import { seedBuilds } from './seedBuilds.ts'
import {
  ASSETS,
  BIG_USER,
  seededQueues,
  userOf,
  withdrawalAddressBook,
  withdrawalFacts,
} from './withdrawalFacts.ts'

/**
 * Measures lists of a million withdrawal requests in 200 queues, 42,000 of which wait, 5,000 of them in
 * one queue: the maximum rate of 16 connections, and the latencies at half of it, from the time when a
 * request was due: `node bench/withdrawals.ts [words of the names of the cases to run]`. Ends with 1 if a
 * bound is broken. Seeding takes five minutes.
 */
const ORDER_COUNT = 1_000_000
const P99_MS = 50
const DAY = 86_400
const print = (line: string) => process.stdout.write(`${line}\n`)
const wanted = process.argv.slice(2)
const queues = seededQueues(ORDER_COUNT)
const [largest, ordinary] = [queues[0]?.vault, queues[7]?.vault]

await using started = new AsyncDisposableStack()
const postgres = await startBenchPostgres()
started.defer(postgres.stop)
await migrate(postgres.url)
const sql = connect(postgres.url, { applicationName: 'bench-seed', max: 3 })
started.defer(() => sql.end())
const addressBook = withdrawalAddressBook(queues)
const chains = withdrawalFacts(queues)
await seedBuilds(sql, { databaseUrl: postgres.url, addressBook, chains })
await sql`checkpoint`

// No measured request needs a node.
const api = await startBenchApi({ databaseUrl: postgres.url, addressBook })
started.defer(api.stop)
for (const [name, paths] of await casesOf()) {
  if (wanted.length > 0 && !wanted.some((word) => name.includes(word))) continue
  const { maximum, p50, p90, p99, max } = await measure({
    name,
    port: api.port,
    requests: gets(paths),
  })
  const text = [p50, p90, p99, max].map((value) => value.toFixed(1)).join(' / ')
  judge(`${name.padEnd(32)} ${maximum.toFixed(0).padStart(4)}/s   at half of it, ms: ${text}`, p99)
}
await measureDemand()

async function casesOf(): Promise<[string, string[]][]> {
  const list = (filter: string, pageSize = 25) =>
    `/v2/earn/withdrawalRequests?${new URLSearchParams({ filter, pageSize: String(pageSize) })}`
  const big = `userAddress = ${BIG_USER}`
  const users = Array.from({ length: 2_000 }, (_, i) => 1 + ((i * 773) % 2_000) * 37)
  const volume = new URLSearchParams({
    vaultAddress: largest ?? '',
    startTime: String(FIRST_ORDER_AT + 1_000),
    endTime: String(FIRST_ORDER_AT + 345 * DAY + 5_000),
  })
  const someRequests = await sql<{ id: string; hash: string }[]>`
    select chain_id || ':' || queue || ':' || order_index as id, transaction_hash as hash
    from read.withdrawal_request where queue = ${queues[7]?.queue ?? ''} limit 1000`
  const ids = someRequests.map(({ id }) => id)
  const hashes = someRequests.map(({ hash }) => hash)
  const indices = Array.from({ length: 1_000 }, (_, i) => 1 + ((i * 7_919) % 190_000))
  return [
    ['all', [list('')]],
    ['all, pages of 100', [list('', 100)]],
    ['all, page 200', [await pageOf(list(''), 200)]],
    ['ordinary users', users.map((user) => list(`userAddress = ${userOf(user)}`))],
    ['a user with 37,000', [list(big)]],
    ['those that were refunded', [list(`${big} AND status = REFUNDED`)]],
    ['those in one vault', [list(`${big} AND vaultAddress = ${ordinary}`)]],
    ['a queue in which 5,000 wait', [list(`vaultAddress = ${largest} AND status = PENDING`, 100)]],
    ['a queue in which 100 wait', [list(`vaultAddress = ${ordinary} AND status = PENDING`, 100)]],
    ['all that wait', [list('status = PENDING OR status = PENDING_REFUND', 100)]],
    ['all that were refunded', [list('status = REFUNDED', 100)]],
    ['one order', indices.map((i) => list(`vaultAddress = ${largest} AND orderIndex = ${i}`))],
    ['ordinary receivers', users.map((user) => list(`receiverAddress = ${userOf(user)}`))],
    ['a receiver with 37,000', [list(`receiverAddress = ${BIG_USER}`, 100)]],
    ['the requests of a transaction', hashes.map((hash) => list(`txHash = ${hash}`))],
    ['one request by its id', ids.map((id) => `/v2/earn/withdrawalRequests/${id}`)],
    ['what no index knows', [list(`userAddress != ${BIG_USER} AND orderIndex != 1`, 100)]],
    ['two users', [list(`userAddress = ${userOf(38)} OR userAddress = ${userOf(75)}`)]],
    ['volume of a life', [`/v2/earn/withdrawalVolumes?${volume}`]],
    ['volume by the day', [`/v2/earn/withdrawalVolumes?${volume}&interval=${DAY}&pageSize=100`]],
  ]
}

/** Measures the database's part of a page of shortfalls, and of an empty one. Reads of chains cost like discovery. */
async function measureDemand() {
  const terms = queues.flatMap(({ chainId, queue }) =>
    ASSETS.map((asset) => ({
      chainId,
      queue,
      asset,
      decimals: 6,
      rateInQuote: 1_003_000n,
      fee: { bps: 10n, flat: 50_000n },
    })),
  )
  const cases = {
    'vaults that have nothing, a page of 100': 0n,
    'vaults that have enough': 10n ** 30n,
  }
  for (const [name, balance] of Object.entries(cases)) {
    const latencies: number[] = []
    for (let round = 0; round < 100; round += 1) {
      const startedAt = performance.now()
      await selectUnpayable(
        sql,
        terms.map((term) => ({ ...term, balance })),
        101,
      )
      latencies.push(performance.now() - startedAt)
    }
    const [p50 = 0, p99 = 0] = [0.5, 0.99].map((share) => percentile(latencies, share))
    print(`what ${name} lack   p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms`)
  }
}

async function pageOf(path: string, page: number): Promise<string> {
  let found = path
  for (let at = 1; at < page; at += 1) {
    const response = await ask(`${api.url}${found}`)
    const { nextPageToken } = (await response.json()) as { nextPageToken: string }
    found = `${path}&pageToken=${nextPageToken}`
  }
  return found
}

function judge(line: string, p99: number) {
  const holds = p99 <= P99_MS
  print(`${holds ? 'holds ' : 'BROKEN'}  ${line}   (p99 at most ${P99_MS})`)
  if (!holds) process.exitCode = 1
}
