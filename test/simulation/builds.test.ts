import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { connect } from '../../db/sql.ts'
import type { AddressBookFile } from '../../domain/addressBook/addressBook.ts'
import { type ChangedProject, changeProject } from '../support/changedProject.ts'
import { startTestIndexer } from '../support/indexer.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'
import { startTestProduct, type TestProduct } from '../support/product.ts'
import { seededRandom } from '../support/seededRandom.ts'
import { type Answer, startAsking } from './answerLog.ts'
import { createMemory } from './memory.ts'
import { createRandomTraffic, pathsOf, type RandomTraffic } from './randomTraffic.ts'

type Indexer = Awaited<ReturnType<typeof startTestIndexer>>
type Deployment = { root?: string; addressBook?: AddressBookFile }

/** An order on chain that is not indexed yet answers NOT_YET_INDEXED, which is no refusal. */
function isRefused({ status, body }: Answer): boolean {
  return status === 0 || (status === 503 && !JSON.stringify(body).includes('NOT_YET_INDEXED'))
}

/** About four steps per second, each of one or two blocks. */
const PACE_MS = 200
const LOSING_MS = 10_000

describe('a build that is deployed while clients poll', () => {
  let database: TestDatabase
  let sql: Sql
  let product: TestProduct
  let traffic: RandomTraffic
  /** Indexers that run until the end of the file: the served one, and its successors. */
  const indexers: Indexer[] = []
  let replica: Awaited<ReturnType<TestProduct['startLossyReplica']>>
  let watching: ReturnType<typeof watch>

  beforeAll(async () => {
    database = await createTestDatabase()
    sql = connect(database.url, { applicationName: 'test', max: 1 })
    product = await startTestProduct({ databaseUrl: database.url })
    replica = await product.startLossyReplica()
    traffic = createRandomTraffic(product.world, seededRandom(3))
    for (let step = 0; step < 12; step += 1) await traffic.step()
    watching = watch()
  })
  afterAll(async () => {
    await watching.stop()
    for (const indexer of indexers) await indexer.stop()
    await product?.stop()
    await sql.end()
    await database.drop()
  })
  // The main check: across all versions no request is refused, and no answer is older than one before it.
  afterEach(() => watching.check())

  /** Constant new orders and their steps, with clients that poll them. */
  function watch() {
    const memory = createMemory()
    const asking = startAsking([product.url, replica.url], () => pathsOf(traffic.orderIds()))
    let isStopped = false
    const moving = (async () => {
      for (; !isStopped; await sleep(PACE_MS)) await traffic.step()
    })()
    return {
      check() {
        const answers = asking.take()
        expect(answers.length).toBeGreaterThan(5)
        for (const answer of answers) memory.check(answer)
        expect(answers.filter(isRefused)).toEqual([])
      },
      async stop() {
        isStopped = true
        await moving
        await asking.stop()
      },
    }
  }

  /** Starts the next version's indexer beside the served one. */
  async function deploy({ root, addressBook }: Deployment): Promise<Indexer> {
    const { rpcUrls } = product.world
    const { wsUrls, addressBookFile } = product
    return startTestIndexer({
      databaseUrl: database.url,
      rpcUrls,
      wsUrls,
      chainIds: [1, 4663],
      root,
      addressBook: addressBook ?? addressBookFile,
    })
  }

  async function next(file: string, from: string, to: string): Promise<ChangedProject> {
    const project = await changeProject(file, from, to)
    onTestFinished(project.remove)
    return project
  }

  /** The next version's handler of submissions begins with this line. */
  function nextHandler(statement: string): Promise<ChangedProject> {
    const first = 'const { uuid, sourceEID, quote, user } = event.args'
    return next('src/handlers/TransitStation.ts', first, `${statement}\n  ${first}`)
  }

  async function health() {
    const response = await fetch(`${product.url}/health`)
    const { details } = (await response.json()) as {
      details: { indexer: { chains: Record<string, Record<string, unknown>> } }
    }
    return details.indexer.chains[1] ?? {}
  }

  /** Waits until another build than `before` is served, and the old indexer has stopped. */
  async function takeOver(indexer: Indexer, before: unknown) {
    await expect.poll(async () => (await health()).build).not.toBe(before)
    const old = indexers.pop()
    indexers.push(indexer)
    await (old ?? product.indexer).stop()
    for (let step = 0; step < 5; step += 1) await traffic.step()
  }

  const deadlines = () => sql<{ deadline: string }[]>`
    select deadline::text from read.transit_source where deadline < 0 limit 1`

  test('behavior: a changed handler', async () => {
    const { build } = await health()
    // The second replica does not notice that another build is served.
    const losing = replica.notifications.lose(LOSING_MS)
    expect(await deadlines()).toEqual([])
    const { root } = await next(
      ...(['src/handlers/TransitStation.ts', 'deadline: quote.deadline', 'deadline: -1n'] as const),
    )
    await takeOver(await deploy({ root }), build)
    expect(await deadlines()).toHaveLength(1)
    await losing
    expect(replica.notifications.lost()).toBeGreaterThan(0)
  })

  test('behavior: a changed address book', async () => {
    const { build } = await health()
    const addressBook = structuredClone(product.addressBookFile)
    const station = addressBook.chains.find(({ id }) => id === 1)?.transitStation
    if (!station) throw new Error('the world has a station on chain 1')
    station.startBlock += 1
    await takeOver(await deploy({ addressBook }), build)
  })

  test('behavior: a changed view', async () => {
    const { build } = await health()
    const columns = () => sql`select column_name from information_schema.columns
      where table_schema = 'read' and table_name = 'waiting_withdrawal' and column_name = 'extra'`
    expect(await columns()).toEqual([])
    const { root } = await next(
      'db/readViews/withdrawalStatus.ts',
      'select chain_id, queue, order_index,',
      'select 1 as extra, chain_id, queue, order_index,',
    )
    await takeOver(await deploy({ root }), build)
    expect(await columns()).toHaveLength(1)
  })

  test('error: after a crash of the new one the old one still serves, and health shows it', async () => {
    const { build } = await health()
    const { root } = await nextHandler('if (event) throw new Error("broken on purpose")')
    const indexer = await deploy({ root })
    await expect.poll(health).toMatchObject({
      build,
      isLevel: true,
      isSynced: true,
      message: 'its next build does not come up; `admin index list` shows why',
      nextBuild: { state: 'failed' },
    })
    const [failed] = await sql<{ error: string }[]>`
      select error from app.index_build where state = 'failed' limit 1`
    expect(failed?.error).toContain('broken on purpose')
    await indexer.stop()
  })

  test('error: one that never catches up leaves the old one serving, and health names it', async () => {
    const { build } = await health()
    const { root } = await nextHandler('await new Promise(() => {})')
    const indexer = await deploy({ root })
    await expect
      .poll(health)
      .toMatchObject({ build, isLevel: true, isSynced: true, nextBuild: { state: 'building' } })
    for (let step = 0; step < 5; step += 1) await traffic.step()
    expect(await health()).toMatchObject({ build, nextBuild: { state: 'building' } })
    await indexer.stop()
  })
})
