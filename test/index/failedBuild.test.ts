import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { benchAddressBook } from '../../bench/benchChains.ts'
import { connect } from '../../db/sql.ts'
import { devnetClient } from '../../devnet/world.ts'
import { startTestAnvils, type TestAnvils } from '../support/anvils.ts'
import { startFaultyNode } from '../support/faultyNode.ts'
import { startTestIndexer, untilIndexed } from '../support/indexer.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { until } from '../support/until.ts'

const HEAD = 3

const started = new AsyncDisposableStack()
let nodes: TestAnvils
beforeAll(async () => {
  nodes = await startTestAnvils([1])
  started.defer(nodes.stop)
  await mine()
})
afterAll(() => started.disposeAsync())

const mine = () => devnetClient(1, nodes.rpcUrls[1] ?? '').mine({ blocks: HEAD })

async function startDatabase() {
  const database = await createTestDatabase()
  onTestFinished(database.drop)
  const sql = connect(database.url, { applicationName: 'test', max: 2 })
  onTestFinished(() => sql.end())
  const start = async (place: Pick<TestAnvils, 'rpcUrls' | 'wsUrls'> = nodes) => {
    const { rpcUrls, wsUrls } = place
    const book = { databaseUrl: database.url, addressBook: benchAddressBook, chainIds: [1] }
    const indexer = await startTestIndexer({ ...book, rpcUrls, wsUrls })
    onTestFinished(indexer.stop)
    return indexer
  }
  const build = async () => {
    const [row] = await sql<{ state: string; error: string | null }[]>`
      select state, error from app.index_build`
    return row
  }
  const untilState = (state: string) => until(async () => (await build())?.state === state)
  return { sql, start, build, untilState }
}

test('behavior: a build that failed without nodes is being made once they answer', async () => {
  const { start, build, untilState } = await startDatabase()
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
}, 60_000)

test('behavior: a build whose Ponder ended is being made once it is further than ever', async () => {
  const { sql, start, build, untilState } = await startDatabase()
  const first = await start()
  await untilIndexed(sql, { 1: HEAD })
  await first.stop()
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
}, 60_000)
