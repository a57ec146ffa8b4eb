import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { benchAddressBook } from '../../bench/benchChains.ts'
import { listIndexBuilds } from '../../db/listIndexBuilds.ts'
import { migrate } from '../../db/migrate.ts'
import { connect } from '../../db/sql.ts'
import { devnetClient } from '../../devnet/world.ts'
import { startTestAnvils, type TestAnvils } from '../support/anvils.ts'
import { startApiProcess, untilReady } from '../support/apiProcess.ts'
import { createTestKey } from '../support/ask.ts'
import {
  asRole,
  createDatabaseStatements,
  createRoleStatements,
  runStatements,
} from '../support/databaseRole.ts'
import { documentedCommand } from '../support/documentedCommand.ts'
import { startTestIndexer, untilIndexed } from '../support/indexer.ts'
import { withDatabase } from '../support/postgres.ts'
import { systemPostgres } from '../support/systemPostgres.ts'
import { startTemporaryPostgres } from '../support/temporaryPostgres.ts'

const run = promisify(execFile)
const binaries = systemPostgres()
const HEAD = 3
const chains = benchAddressBook.chains.filter(({ id }) => id === 1)
const addressBook = {
  ...benchAddressBook,
  chains,
  tokens: benchAddressBook.tokens.filter(({ chainId }) => chainId === 1),
}

// Skipped without Debian's package `postgresql`: the Postgres of npm has no pg_dump.
describe.skipIf(binaries === null)('a restored dump', () => {
  const started = new AsyncDisposableStack()
  const appSecret = randomBytes(32).toString('hex')
  let serverUrl: string
  let folder: string
  let nodes: TestAnvils
  let key: string

  async function createDatabase(name: string): Promise<string> {
    await runStatements(serverUrl, createDatabaseStatements(name))
    return withDatabase(asRole(serverUrl), name)
  }

  /** Runs a command in a shell, as an operator would. */
  async function shell(command: string, databaseUrl: string) {
    const env = { PATH: `${binaries}:${process.env.PATH}`, DATABASE_URL: databaseUrl }
    return (await run('bash', ['-ec', command], { cwd: folder, env })).stdout
  }

  /** An installation whose index stood at the head, with a key and a webhook that waits. */
  async function writeRows(sql: Sql) {
    await sql`insert into app.index_build (postgres_schema, chain_id, build_hash, state, served_at)
      values ('index_1_lost', 1, 'lost', 'served', now())`
    await sql`insert into app.index_high_water (chain_id, block_number) values (1, ${HEAD})`
    key = await createTestKey({
      sql,
      appSecret: Buffer.from(appSecret, 'hex'),
      actor: 'test',
      bounds: null,
    })
    const [endpoint] = await sql<{ id: string; organizationId: string }[]>`
      insert into app.webhook_endpoint (organization_id, url, event_types)
      select id, 'https://example.com', '{*}' from app.organization
      returning id, organization_id as "organizationId"`
    const { id = '', organizationId = '' } = endpoint ?? {}
    await sql`
      insert into app.event
      values ('event', ${organizationId}, 1, 'smart_deposit:1', 1, 'ping', now(), '{}')`
    await sql`
      insert into app.webhook_delivery
        (endpoint_id, event_id, event_at, event_type, organization_sequence, resource, resource_sequence)
      select ${id}, id, created_at, type, 1, resource, 1 from app.event`
  }

  /** A new database with the content of a dump, restored by the documented command. */
  async function restored(name: string, dump: string): Promise<string> {
    const url = await createDatabase(name)
    await shell((await documentedCommand('pg_restore')).replace('causeway.dump', dump), url)
    return url
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'causeway-restore-'))
    started.defer(() => rm(folder, { recursive: true, force: true }))
    const postgres = await startTemporaryPostgres({ binaries: binaries ?? undefined })
    started.defer(postgres.stop)
    serverUrl = postgres.url
    await runStatements(serverUrl, createRoleStatements())
    const before = await createDatabase('before')
    await migrate(before)
    const sql = connect(before, { applicationName: 'test', max: 1 })
    await writeRows(sql).finally(() => sql.end())
    await shell(await documentedCommand('pg_dump'), before)
    await shell('pg_dump "$DATABASE_URL" --schema=app --format=custom --file=app.dump', before)
    nodes = await startTestAnvils([1])
    started.defer(nodes.stop)
    await devnetClient(1, nodes.rpcUrls[1] ?? '').mine({ blocks: HEAD })
  }, 60_000)
  afterAll(() => started.disposeAsync())

  test('behavior: it is indexed anew and read', async () => {
    const databaseUrl = await restored('restored', 'causeway.dump')
    const prefix = `npm --prefix ${process.cwd()} run migrate`
    await shell(
      (await documentedCommand('npm run migrate')).replace('npm run migrate', prefix),
      databaseUrl,
    )
    await using running = new AsyncDisposableStack()
    const indexer = await startTestIndexer({
      databaseUrl,
      addressBook,
      chainIds: [1],
      rpcUrls: nodes.rpcUrls,
      wsUrls: nodes.wsUrls,
    })
    running.defer(() => indexer.stop())
    const api = await startApiProcess({
      databaseUrl,
      addressBook: indexer.addressBook,
      rpcUrls: nodes.rpcUrls,
      appSecret,
    })
    running.defer(() => api.stop())
    await untilReady(api)
    const sql = connect(databaseUrl, { applicationName: 'test', max: 1 })
    running.defer(() => sql.end())
    await untilIndexed(sql, { 1: HEAD })
    const user = `0x${'11'.repeat(20)}`
    const orders = await fetch(`${api.url}/v1/transit/orders?userAddress=${user}`)
    expect([orders.status, await orders.text()]).toEqual([200, expect.any(String)])
    expect(orders.headers.get('x-indexed-blocks')).toBe(`1=${HEAD}`)
    const events = await fetch(`${api.url}/v2/events`, { headers: { 'x-api-key': key } })
    expect(events.status).toBe(200)
    const builds = await listIndexBuilds(sql)
    expect(builds.map(({ state }) => state).sort()).toEqual(['retired', 'served'])
  }, 60_000)

  test('behavior: of `app` alone, every start makes what is missing', async () => {
    const databaseUrl = await restored('alone', 'app.dump')
    await migrate(databaseUrl)
    const sql = connect(databaseUrl, { applicationName: 'test', max: 1 })
    await using _ = { [Symbol.asyncDispose]: () => sql.end() }
    expect(await sql`select * from read.chain_progress`).toEqual([])
    expect(await listIndexBuilds(sql)).toMatchObject([{ state: 'retired' }])
    await shell(await documentedCommand('psql "$DATABASE_URL"'), databaseUrl)
    const jobs = await sql`select task_identifier as task from graphile_worker.jobs`
    expect(jobs).toEqual([{ task: 'deliver_webhook' }])
  })
})
