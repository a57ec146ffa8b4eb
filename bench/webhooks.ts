import { randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { migrate } from '../db/migrate.ts'
import { connect } from '../db/sql.ts'
import { createEndpoint } from '../domain/webhook/manageEndpoints.ts'
import { recordEvents } from '../domain/webhook/recordEvents.ts'
import { createLogger } from '../processes/logger.ts'
import { percentile } from '../test/support/percentile.ts'
import { deliverWebhooks } from '../worker/webhook/deliverWebhooks.ts'
import { startWorker } from '../worker/worker.ts'
import { startBenchPostgres } from './benchPostgres.ts'

/**
 * Measures how many events are recorded with their deliveries in batches, and the time from an event to
 * the first delivery attempt at a given rate. All on one machine: Postgres, and a worker and the receiver
 * in one process. `node bench/webhooks.ts`.
 */
const BATCH = 100
const BATCHES = 100
const RATE = Number(process.argv[2] ?? 200)
const SECONDS = Number(process.argv[3] ?? 20)
const EVERY_MS = 50
const RESOURCES = 500

const postgres = await startBenchPostgres()
await migrate(postgres.url)
const sql = connect(postgres.url, { applicationName: 'bench' })
const secretsKey = randomBytes(32)
const arrivals = new Map<string, number>()
const receiver = createServer((request, response) => {
  const id = String(request.headers['webhook-id'])
  if (!arrivals.has(id)) arrivals.set(id, Date.now())
  request.resume().on('end', () => response.writeHead(204).end())
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const { port } = receiver.address() as AddressInfo

const accepting = await organization('accepting')
const acceptedIn = await timed(async () => {
  for (let batch = 0; batch < BATCHES; batch += 1) await record(sql, accepting, BATCH)
})
const accepted = BATCH * BATCHES
print(
  `accepted: ${accepted} events and deliveries in batches of ${BATCH}: ${perSecond(accepted, acceptedIn)}`,
)
// Nothing is delivered for the first part.
await sql`delete from graphile_worker._private_jobs`

const logger = createLogger('bench', 'warn')
const deliverySql = connect(postgres.url, {
  applicationName: 'bench-worker',
  synchronousCommit: false,
})
const part = deliverWebhooks({ sql: deliverySql, secretsKey, logger, allowPrivate: true })
const worker = await startWorker({ databaseUrl: postgres.url, parts: [part], logger })
const delivering = await organization('delivering')
const recordedAt = new Map<string, number>()
const startedAt = Date.now()
for (let tick = 0; tick < (SECONDS * 1_000) / EVERY_MS; tick += 1) {
  await sleep(Math.max(0, startedAt + tick * EVERY_MS - Date.now()))
  const before = Date.now()
  for (const id of await record(sql, delivering, (RATE * EVERY_MS) / 1_000))
    recordedAt.set(id, before)
}
const offeredIn = Date.now() - startedAt
const deadline = Date.now() + 30_000
while (arrivals.size < recordedAt.size && Date.now() < deadline) await sleep(50)
const waits = [...recordedAt].map(([id, at]) => (arrivals.get(id) ?? Number.POSITIVE_INFINITY) - at)
waits.sort((left, right) => left - right)
print(
  `delivered: ${arrivals.size} of ${recordedAt.size}, offered at ${perSecond(recordedAt.size, offeredIn)}: ` +
    `event to first attempt p50 ${percentile(waits, 0.5)} ms, p99 ${percentile(waits, 0.99)} ms, most ${waits.at(-1)} ms`,
)
await worker.stop()
receiver.closeAllConnections()
receiver.close()
await Promise.all([sql.end(), deliverySql.end()])
await postgres.stop()

async function organization(name: string): Promise<string> {
  const [made] = await sql<{ id: string }[]>`
    insert into app.organization (name) values (${name}) returning id`
  const administrator = {
    sql,
    actor: 'bench',
    secretsKey,
    targets: { allowPrivate: true },
    vaults: null,
  }
  const id = made?.id ?? ''
  const url = `http://127.0.0.1:${port}/`
  await createEndpoint(administrator, id, { url, eventTypes: ['smart_deposit.*'] })
  return id
}

async function record(on: Sql, organizationId: string, count: number): Promise<string[]> {
  const recorded = await on.begin((transaction) =>
    recordEvents(
      transaction,
      Array.from({ length: count }, () => ({
        organizationId,
        type: 'smart_deposit.deposit.pending',
        name: randomUUID(),
        resource: `smart_deposit:${Math.floor(Math.random() * RESOURCES)}`,
        fields: { deposit_id: `0x${'1'.repeat(64)}`, received_amount: '1000000' },
      })),
    ),
  )
  return recorded.map(({ id }) => id)
}

async function timed(run: () => Promise<void>): Promise<number> {
  const began = Date.now()
  await run()
  return Date.now() - began
}

function perSecond(count: number, ms: number): string {
  return `${Math.round((count * 1_000) / ms)}/s`
}

function print(line: string) {
  process.stdout.write(`${line}\n`)
}
