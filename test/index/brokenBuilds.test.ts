import { readFile } from 'node:fs/promises'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { benchAddressBook } from '../../bench/benchChains.ts'
import { listIndexBuilds } from '../../db/listIndexBuilds.ts'
import { connect } from '../../db/sql.ts'
import { devnetClient } from '../../devnet/world.ts'
import { startTestAnvils, type TestAnvils } from '../support/anvils.ts'
import { asProcessRole } from '../support/databaseRole.ts'
import { startFaultyNode } from '../support/faultyNode.ts'
import { startTestIndexer, untilIndexed } from '../support/indexer.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'
import { until } from '../support/until.ts'

const HEAD = 3

/** One build, whose indexer is started three times. Each test goes on where the one before it ended. */
describe('a build that', () => {
  const started = new AsyncDisposableStack()
  let database: TestDatabase
  let sql: Sql
  let nodes: TestAnvils

  beforeAll(async () => {
    database = await createTestDatabase()
    started.defer(database.drop)
    sql = connect(database.url, { applicationName: 'test', max: 2 })
    started.defer(() => sql.end())
    nodes = await startTestAnvils([1])
    started.defer(nodes.stop)
    await mine()
  })
  afterAll(() => started.disposeAsync())

  const mine = () => devnetClient(1, nodes.rpcUrls[1] ?? '').mine({ blocks: HEAD })
  /** With the role of indexers, which does not own `app`. */
  async function start({ rpcUrls, wsUrls }: Pick<TestAnvils, 'rpcUrls' | 'wsUrls'> = nodes) {
    const book = { databaseUrl: database.url, addressBook: benchAddressBook, chainIds: [1] }
    const indexer = await startTestIndexer({ ...book, rpcUrls, wsUrls })
    onTestFinished(indexer.stop)
    return indexer
  }
  async function build() {
    const [row] = await sql<{ state: string; error: string | null }[]>`
      select state, error from app.index_build`
    return row
  }
  const untilState = (state: string) => until(async () => (await build())?.state === state)

  test('behavior: failed without nodes is being made once they answer', async () => {
    const place = { rpcUrl: nodes.rpcUrls[1] ?? '', wsUrl: nodes.wsUrls[1] ?? '' }
    const node = await startFaultyNode({ ...place, other: place })
    onTestFinished(node.stop)
    await node.fall('silent')
    await start({ rpcUrls: { 1: node.rpcUrl }, wsUrls: { 1: node.wsUrl } })
    await untilState('failed')
    expect((await build())?.error).toContain('no node of chain 1 answers')
    await node.fall('well')
    // Ponder then loads its modules for seconds.
    await until(async () => (await build())?.state !== 'failed')
    expect(await build()).toEqual({ state: 'building', error: null })
    await untilState('served')
    await untilIndexed(sql, { 1: HEAD })
  }, 60_000)

  test('behavior: lost its Ponder is being made once it is further than ever', async () => {
    await sql`update app.index_build set state = 'building'`
    const { pid } = await start()
    const children = () => readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
    await until(async () => (await children()) !== '')
    // No build is served meanwhile.
    const held = await sql.reserve()
    onTestFinished(async () => {
      await held`select pg_advisory_unlock_all()`
      held.release()
    })
    await held`select pg_advisory_lock(hashtext('causeway.serve_build'))`
    process.kill(Number((await children()).trim().split(' ')[0]), 'SIGKILL')
    await untilState('failed')
    await mine()
    await untilState('building')
    expect((await build())?.error).toBe(null)
    await held`select pg_advisory_unlock(hashtext('causeway.serve_build'))`
    await untilState('served')
    await untilIndexed(sql, { 1: 2 * HEAD })
  }, 60_000)

  test('behavior: was served and then dropped comes back at a restart of the indexer', async () => {
    const [served] = await sql<{ schema: string }[]>`
      select postgres_schema as schema from app.index_build where state = 'served'`
    await sql`drop schema ${sql(served?.schema ?? '')} cascade`
    await start()
    await untilIndexed(sql, { 1: 2 * HEAD })
    expect(await listIndexBuilds(sql)).toMatchObject([{ state: 'served' }])
    const api = connect(asProcessRole(database.url, 'api'), { applicationName: 'test', max: 1 })
    onTestFinished(() => api.end())
    expect(await api`select block_number from read.chain_progress`).toEqual([
      { block_number: BigInt(2 * HEAD) },
    ])
  }, 60_000)
})
