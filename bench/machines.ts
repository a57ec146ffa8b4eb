import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import { connect } from '../db/sql.ts'
import { testAddressBook } from '../test/support/addressBook.ts'
import { asProcessRole } from '../test/support/databaseRole.ts'
import { insertOrders, orderRow } from '../test/support/insertOrder.ts'
import { startReplicatedPostgres } from '../test/support/replicatedPostgres.ts'
import { type BenchApi, startBenchApi } from './benchApi.ts'
import { cpuMicros } from './cpuMicros.ts'
import { limitCpu } from './cpuQuota.ts'
import { gets, type Measured, measureMaximum } from './measure.ts'

/**
 * `node bench/machines.ts [seconds]`: 1, 2 and 4 apis, without and with two replicas of Postgres. Each process has a quarter of
 * a core, by cgroups, as if it had a small machine; the load has none. First reads of orders, and polls of the same ones.
 */
const SECONDS = Number(process.argv[2] ?? 6)
const QUOTA = 0.25
const APIS = [1, 2, 4]
/** More than an api reads once at its quota. */
const FIRST_ORDERS = 4_000
const POLLED_ORDERS = 200
const REPLICAS = 2
/** Below this part of its quota an api was not the limit: the machine, Postgres or the load was. */
const USED = 0.9

await using started = new AsyncDisposableStack()
const postgres = await startReplicatedPostgres(REPLICAS)
started.defer(postgres.stop)
const ids = Array.from(
  { length: POLLED_ORDERS + 2 * APIS.reduce((sum, count) => sum + count, 0) * FIRST_ORDERS },
  (): Hex => `0x${randomBytes(32).toString('hex')}`,
)
const sql = connect(postgres.url, { applicationName: 'bench', max: 1 })
for (let from = 0; from < ids.length; from += 2_000)
  await insertOrders(
    sql,
    ids.slice(from, from + 2_000).map((id) => orderRow({ id })),
  )
await sql`analyze`
await sql.end()
const servers = [postgres.pid, ...postgres.replicas.map((replica) => replica.pid())]
for (const [index, pid] of servers.entries())
  started.defer(await limitCpu(`postgres-${index}`, pid, QUOTA))

const paths = ids.map((id) => `/v1/transit/orders/${id}`)
const polled = paths.splice(0, POLLED_ORDERS)
const print = (line: string) => process.stdout.write(`${line}\n`)
print(
  '| apis | replicas | first reads a second | primary, µs | api uses of its quota | polls a second | primary, µs | api uses of its quota |',
)
print(`|${' --- |'.repeat(8)}`)
for (const replicas of [0, REPLICAS]) for (const count of APIS) await measure(count, replicas)

async function measure(count: number, replicas: number) {
  await using running = new AsyncDisposableStack()
  const urls = postgres.replicas.slice(0, replicas).map(({ url }) => asProcessRole(url, 'api'))
  const apis: BenchApi[] = []
  for (let index = 0; index < count; index += 1) {
    const api = await startBenchApi({
      databaseUrl: postgres.url,
      addressBook: testAddressBook,
      variables: { LOG_LEVEL: 'info', ...(replicas ? { DATABASE_READ_URL: urls.join(',') } : {}) },
    })
    running.defer(api.stop)
    apis.push(api)
  }
  // Afterwards: a start within a quarter of a core takes a minute.
  for (const [index, { pid }] of apis.entries())
    running.defer(await limitCpu(`api-${replicas}-${count}-${index}`, pid, QUOTA))
  await sleep(2_000)
  const first = await load(apis, () => paths.splice(0, FIRST_ORDERS))
  const polls = await load(apis, () => polled)
  print(`| ${count} | ${replicas} | ${first} | ${polls} |`)
}

async function load(apis: BenchApi[], pathsOf: () => string[]): Promise<string> {
  const measured = apis.map(
    ({ port }): Measured => ({ name: 'machines', port, requests: gets(pathsOf()) }),
  )
  const pids = apis.map(({ pid }) => pid)
  const before = [postgres.pid, ...pids].map(cpuMicros)
  const since = performance.now()
  const rates = await Promise.all(measured.map((one) => measureMaximum(one, SECONDS)))
  const elapsedMicros = (performance.now() - since) * 1_000
  const spent = [postgres.pid, ...pids].map((pid, index) => cpuMicros(pid) - (before[index] ?? 0))
  const [ofPrimary = 0, ...ofApis] = spent
  const requests = measured.reduce((sum, { next = 0 }) => sum + next, 0)
  const used =
    ofApis.reduce((sum, micros) => sum + micros, 0) / (elapsedMicros * QUOTA * apis.length)
  const rate = Math.round(rates.reduce((sum, one) => sum + one, 0))
  const remark = used < USED ? ', **not the limit**' : ''
  return `${rate} | ${Math.round(ofPrimary / requests)} | ${Math.round(used * 100)} %${remark}`
}
