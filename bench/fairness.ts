import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { migrate } from '../db/migrate.ts'
import { connect } from '../db/sql.ts'
import { sealSecret } from '../domain/secret/sealedSecret.ts'
import { recordEvents } from '../domain/webhook/recordEvents.ts'
import { startReplay } from '../domain/webhook/replay.ts'
import { createLogger } from '../processes/logger.ts'
import { percentile } from '../test/support/percentile.ts'
import { deliverWebhooks } from '../worker/webhook/deliverWebhooks.ts'
import { startWorker } from '../worker/worker.ts'
import { startBenchPostgres } from './benchPostgres.ts'

/**
 * Measures how long events of healthy endpoints take, by a worker that has just started: alone, beside dead endpoints of other
 * organizations that never answer, beside one of these with many resources, and beside a replay of another organization:
 * `node bench/fairness.ts [endpoints] [dead]`.
 */
const ENDPOINTS = Number(process.argv[2] ?? 1_000)
const DEAD = Number(process.argv[3] ?? ENDPOINTS * 0.9)
const ROUNDS = 5
const PAUSE_MS = 2_000
const REPLAYED = 5_000
const RESOURCES = 3_000
/** Each has been looked at once by then. */
const LOOKED_AT_MS = 15_000
const LONGEST_MS = 180_000

type Endpoint = { id: string; organizationId: string }

const secretsKey = randomBytes(32)
const arrived = new Map<string, number>()
const healthy = await listen(
  createServer((request, response) => {
    arrived.set(String(request.headers['webhook-id']), performance.now())
    request.resume()
    response.writeHead(204).end()
  }),
)
const dead = await listen(createServer(() => {}))

const postgres = await startBenchPostgres()
try {
  await migrate(postgres.url)
  const sql = connect(postgres.url, { applicationName: 'bench' })
  try {
    const alive = await createEndpoints(sql, ENDPOINTS - DEAD, urlOf(healthy), 0)
    await measure(sql, 'alone', alive, [])
    const gone = await createEndpoints(sql, DEAD, urlOf(dead), 1)
    await measure(sql, `beside ${DEAD} dead ones`, alive, gone)
    await disable(sql, gone)
    const many = await createEndpoints(sql, 1, urlOf(dead), 1)
    const fill = async () => {
      for (const { organizationId } of many) await recordMany(sql, organizationId, RESOURCES)
    }
    await measure(sql, `beside one of ${RESOURCES}`, alive, [], fill, LOOKED_AT_MS)
    await disable(sql, many)
    await measure(sql, `beside a replay of ${REPLAYED}`, alive, [], () => replay(sql))
  } finally {
    await sql.end()
  }
} finally {
  await postgres.stop()
  for (const server of [healthy, dead]) {
    server.closeAllConnections()
    server.close()
  }
}

async function listen(server: Server): Promise<Server> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** Endpoints of an organization each, which have failed so often. */
async function createEndpoints(
  sql: Sql,
  count: number,
  url: string,
  failures: number,
): Promise<Endpoint[]> {
  const endpoints = await sql<Endpoint[]>`
    with made as (
      insert into app.organization (name) select gen_random_uuid()::text
      from generate_series(1, ${count}::integer) returning id
    )
    insert into app.webhook_endpoint (organization_id, url, event_types, failures_in_row, failing_since)
    select id, ${url}, '{*}', ${failures}, ${failures > 0 ? new Date() : null}::timestamptz from made
    returning id, organization_id as "organizationId"`
  const sealed = endpoints.map(({ id }) =>
    Buffer.from(sealSecret(`whsec_${randomBytes(24).toString('base64')}`, id, secretsKey)).toString(
      'hex',
    ),
  )
  await sql`
    insert into app.webhook_secret (endpoint_id, sealed)
    select id, decode(sealed, 'hex')
    from unnest(${endpoints.map(({ id }) => id)}::uuid[], ${sealed}::text[]) made (id, sealed)`
  return endpoints
}

function disable(sql: Sql, endpoints: Endpoint[]) {
  return sql`update app.webhook_endpoint set status = 'disabled', disabled_reason = 'failing', disabled_at = now()
    where id = any(${endpoints.map(({ id }) => id)}::uuid[])`
}

/** An event of each of so many resources of an organization. */
async function recordMany(sql: Sql, organizationId: string, count: number) {
  for (let index = 0; index < count; index += 500)
    await sql.begin((transaction) =>
      recordEvents(
        transaction,
        Array.from({ length: 500 }, (_, number) => ({
          organizationId,
          resource: `bench:${index + number}`,
          type: 'smart_deposit.deposit.pending' as const,
          name: 'a',
          fields: {},
        })),
      ),
    )
}

/** An event of each of these organizations, as the feed records what happened in one block. */
async function record(sql: Sql, endpoints: Endpoint[], name: string): Promise<string[]> {
  const recorded = await sql.begin((transaction) =>
    recordEvents(
      transaction,
      endpoints.map(({ organizationId }) => ({
        organizationId,
        resource: `bench:${name}`,
        type: 'smart_deposit.deposit.pending' as const,
        name,
        fields: {},
      })),
    ),
  )
  return recorded.map(({ id }) => id)
}

async function measure(
  sql: Sql,
  name: string,
  alive: Endpoint[],
  others: Endpoint[],
  before = async () => {},
  restMs = 0,
) {
  const logger = createLogger('bench', 'silent')
  const own = connect(postgres.url, { applicationName: 'worker', synchronousCommit: false })
  await before()
  for (const [index, endpoint] of others.entries())
    if (index % 100 === 0)
      await record(sql, others.slice(index, index + 100), `${name} ${endpoint.id}`)
  const part = deliverWebhooks({ sql: own, secretsKey, logger, allowPrivate: true })
  const worker = await startWorker({ databaseUrl: postgres.url, parts: [part], logger })
  await setTimeout(restMs)
  const begin = performance.now()
  const delays: number[] = []
  const sent: [string, number][] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const ids = await record(sql, alive, `${name} ${round}`)
    const at = performance.now()
    for (const id of ids) sent.push([id, at])
    await setTimeout(PAUSE_MS)
  }
  const deadline = performance.now() + LONGEST_MS
  while (sent.some(([id]) => !arrived.has(id)) && performance.now() < deadline) await setTimeout(50)
  for (const [id, at] of sent) delays.push((arrived.get(id) ?? Number.POSITIVE_INFINITY) - at)
  const last = Math.max(...sent.map(([id]) => arrived.get(id) ?? performance.now()))
  const missing = delays.filter((delay) => delay === Number.POSITIVE_INFINITY).length
  process.stdout.write(
    `${name.padEnd(24)} ${sent.length} events in ${((last - begin) / 1_000).toFixed(1)} s; delay, ms: p50 ${percentile(delays, 0.5).toFixed(0)}  p99 ${percentile(delays, 0.99).toFixed(0)}  max ${Math.max(...delays).toFixed(0)}; not there after ${LONGEST_MS / 1_000} s: ${missing}\n`,
  )
  await Promise.all([worker.stop(), own.end()])
}

/** An organization with a healthy endpoint replays all of its events. */
async function replay(sql: Sql) {
  const [endpoint] = await createEndpoints(sql, 1, urlOf(healthy), 0)
  if (!endpoint) throw new Error('one endpoint was made')
  await sql`update app.webhook_endpoint set status = 'disabled', disabled_reason = 'by_hand', disabled_at = now()
    where id = ${endpoint.id}`
  await recordMany(sql, endpoint.organizationId, REPLAYED)
  await sql`update app.webhook_endpoint set status = 'enabled', disabled_reason = null, disabled_at = null
    where id = ${endpoint.id}`
  const administrator = {
    sql,
    actor: 'bench',
    secretsKey,
    targets: { allowPrivate: true },
    vaults: null,
  }
  const place = { organizationId: endpoint.organizationId, endpointId: endpoint.id }
  await startReplay(administrator, place, { after: '0' })
}
