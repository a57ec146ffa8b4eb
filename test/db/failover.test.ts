import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { pgOptions } from '../../db/databaseUrl.ts'
import { findPrimary, PgClient } from '../../db/primary.ts'
import { connect } from '../../db/sql.ts'
import { worldClient } from '../../devnet/world.ts'
import { startTestWorld, type TestWorld } from '../support/anvils.ts'
import { type ApiProcess, startApiProcess, untilAnswering } from '../support/apiProcess.ts'
import { ask, giveKeyOf } from '../support/ask.ts'
import { asProcessRole } from '../support/databaseRole.ts'
import { startTestIndexer, untilIndexed } from '../support/indexer.ts'
import { TEMPLATE_DATABASE } from '../support/postgres.ts'
import { type ReplicatedPostgres, startReplicatedPostgres } from '../support/replicatedPostgres.ts'
import { until } from '../support/until.ts'
import { type Receiver, startReceiver } from '../support/webhookReceiver.ts'
import { startWorkerProcess, type WorkerProcess } from '../support/workerProcess.ts'

/** Real processes whose URL has two servers, while the primary goes and its synchronous replica is promoted. */

const CHAINS = [1, 4663]
/** As an operator's controller: it notices that the primary is gone, and promotes. */
const NOTICED_AFTER_MS = 1_000
const MOST_MS = 10_000

/** The URL with both servers, the primary last, for the role of a process or for the owner. */
function urlOfBoth(postgres: ReplicatedPostgres, role?: 'api' | 'worker' | 'indexer'): string {
  const url = role ? asProcessRole(postgres.url, role) : postgres.url
  const [primary, replica] = [url, postgres.replicas[0]?.url ?? ''].map((one) => new URL(one).host)
  return `${url.replace(String(primary), `${replica},${primary}`)}?target_session_attrs=read-write`
}

function startPostgres(): Promise<ReplicatedPostgres> {
  return startReplicatedPostgres(1, { template: TEMPLATE_DATABASE, isSynchronous: true })
}

describe.each(['kill', 'hang'] as const)('a failover after a %s', (how) => {
  const started = new AsyncDisposableStack()
  let postgres: ReplicatedPostgres
  let local: TestWorld
  let api: ApiProcess
  let worker: WorkerProcess
  let receiver: Receiver
  /** Of the indexer, which its supervisor starts again. */
  let starts = 0
  beforeAll(async () => {
    postgres = await startPostgres()
    started.defer(postgres.stop)
    local = await startTestWorld(CHAINS)
    started.defer(local.stop)
    const { rpcUrls } = local.world
    const startIndexer = () => {
      starts += 1
      return startTestIndexer({
        databaseUrl: postgres.url,
        addressBook: local.addressBook,
        chainIds: CHAINS,
        rpcUrls,
        wsUrls: local.wsUrls,
        variables: { DATABASE_URL: urlOfBoth(postgres, 'indexer') },
      })
    }
    let indexer = await startIndexer()
    let isOver = false
    const supervised = (async () => {
      while (!isOver) {
        await indexer.ended
        if (!isOver) indexer = await startIndexer()
      }
    })()
    started.defer(async () => {
      isOver = true
      await indexer.stop()
      await supervised
    })
    const secrets = { SECRETS_KEY: randomBytes(32).toString('hex'), WEBHOOK_ALLOW_PRIVATE: 'true' }
    const options = {
      databaseUrl: postgres.url,
      addressBook: indexer.addressBook,
      rpcUrls,
      appSecret: randomBytes(32).toString('hex'),
    }
    const variables = (role: 'api' | 'worker') => ({
      ...secrets,
      DATABASE_URL: urlOfBoth(postgres, role),
    })
    api = await startApiProcess({ ...options, variables: variables('api') })
    started.defer(api.stop)
    worker = startWorkerProcess({ ...options, variables: variables('worker') })
    started.defer(worker.stop)
    receiver = await startReceiver()
    started.defer(receiver.stop)
    await untilAnswering(api.url, () => `${indexer.output()}\n${api.output()}`)
    await giveKeyOf(api.url, postgres.url, options.appSecret)
  })
  afterAll(() => started.disposeAsync())

  test('default: of several servers in a URL every driver connects to the one that takes writes', async () => {
    const url = urlOfBoth(postgres)
    const sql = connect(url, { applicationName: 'test', max: 3 })
    const client = new PgClient(pgOptions(url, 'test'))
    onTestFinished(async () => {
      await Promise.all([sql.end(), client.end()])
    })
    await client.connect()
    const statement = 'select pg_is_in_recovery() as "isReplica"'
    expect(await Promise.all(Array.from({ length: 6 }, () => sql.unsafe(statement)))).toEqual(
      Array(6).fill([{ isReplica: false }]),
    )
    expect((await client.query(statement)).rows).toEqual([{ isReplica: false }])
  })

  test('error: none of them takes writes', async () => {
    const replica = new URL(postgres.replicas[0]?.url ?? '')
    const nobody = new URL('postgres://nobody@127.0.0.1:1/none')
    const message = `no server of the database takes writes: ${replica.host} is read-only, 127.0.0.1:1`
    await expect(findPrimary([replica, nobody])).rejects.toThrow(message)
    const url = `postgres://nobody:secret@127.0.0.1:1,127.0.0.1:2/none`
    const sql = connect(url, { applicationName: 'test', max: 1 })
    onTestFinished(() => sql.end())
    // Again and again: no connection of the pool is lost by it.
    for (let tries = 0; tries < 3; tries += 1)
      await expect(sql`select 1`).rejects.toMatchObject({ code: 'NO_PRIMARY' })
    expect(await sql`select 1`.catch(String)).not.toContain('secret')
  })

  test('default: writes go on within seconds, none is lost, and no process but the indexer starts again', async () => {
    const headers = { 'content-type': 'application/json' }
    const created = await ask(`${api.url}/v2/webhooks/endpoints`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ url: receiver.url, eventTypes: ['*'], filter: '' }),
    })
    expect(created.status, await created.clone().text()).toBe(200)
    const { endpoint } = (await created.json()) as { endpoint: { id: string } }
    const path = `${api.url}/v2/webhooks/endpoints/${endpoint.id}`
    /** What the api said to have written, and when it answered. */
    const writes: { at: number; number: number }[] = []
    const reads: { at: number }[] = []
    let isOver = false
    const writing = (async () => {
      for (let number = 1; !isOver; number += 1) {
        const body = JSON.stringify({ description: String(number) })
        const keyed = { ...headers, 'idempotency-key': String(number) }
        const { status } = await ask(path, { method: 'PATCH', headers: keyed, body })
        expect([200, 503]).toContain(status)
        if (status === 200) writes.push({ at: performance.now(), number })
        await sleep(20)
      }
    })()
    const reading = (async () => {
      for (; !isOver; await sleep(20)) {
        const { status } = await ask(`${api.url}/v1/transit/orders/0x${'00'.repeat(32)}`)
        expect([404, 503]).toContain(status)
        if (status === 404) reads.push({ at: performance.now() })
      }
    })()
    await until(() => writes.length >= 5 && reads.length >= 5)
    const killedAt = performance.now()
    await (how === 'kill' ? postgres.killPrimary() : postgres.hangPrimary())
    await sleep(NOTICED_AFTER_MS)
    await postgres.replicas[0]?.promote()
    const promotedAt = performance.now()
    const firstAfter = (events: { at: number }[]) =>
      events.find(({ at }) => at > killedAt + NOTICED_AFTER_MS)
    await until(() => Boolean(firstAfter(writes) && firstAfter(reads)))
    isOver = true
    await Promise.all([writing, reading])
    const seconds = (event?: { at: number }) => ((event?.at ?? Number.NaN) - killedAt) / 1_000
    process.stdout.write(
      `${how}: promoted after ${seconds({ at: promotedAt }).toFixed(1)} s, written after ${seconds(firstAfter(writes)).toFixed(1)} s, read after ${seconds(firstAfter(reads)).toFixed(1)} s\n`,
    )
    expect((firstAfter(writes)?.at ?? Infinity) - killedAt).toBeLessThan(MOST_MS)

    const sql = connect(urlOfBoth(postgres), { applicationName: 'test', max: 1 })
    onTestFinished(() => sql.end())
    // Each change kept its key.
    const rows = await sql<{ key: string }[]>`select key from app.idempotency_key`
    const kept = new Set(rows.map(({ key }) => Number(key)))
    expect(writes.filter(({ number }) => !kept.has(number))).toEqual([])
    // The worker runs jobs of the new primary.
    expect((await ask(`${path}/ping`, { method: 'POST', headers, body: '{}' })).status).toBe(200)
    await receiver.until(1)
    // The index follows.
    const client = worldClient(local.world, 1)
    const block = Number(await client.getBlockNumber())
    await client.mine({ blocks: 3 })
    await untilIndexed(sql, { 1: block + 3 })
    expect(starts).toBeLessThanOrEqual(2)
    expect(api.output()).not.toContain('"level":60')
    for (const { ended } of [api, worker])
      expect(await Promise.race([ended.then(() => 'ended'), sleep(100, 'runs')])).toBe('runs')
  })
})
