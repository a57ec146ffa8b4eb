import type { Sql } from 'postgres'
import { afterAll, afterEach, beforeAll, expect, onTestFailed, test } from 'vitest'
import { type IndexListener, startIndexListener } from '../../../db/indexListener.ts'
import { createSessionLocks } from '../../../db/sessionLocks.ts'
import { connect } from '../../../db/sql.ts'
import { dueChains } from '../../../domain/feed/feedProgress.ts'
import { createLogger } from '../../../processes/logger.ts'
import { createIndexFeed } from '../../../worker/feed/indexFeed.ts'
import { recordChainEvents } from '../../../worker/feed/recordChainEvents.ts'
import { startFaultyNode } from '../../support/faultyNode.ts'
import { FEED_CHAINS, type FeedWorld, startFeedWorld } from '../../support/feedWorld.ts'
import { replaceHeads } from '../../support/testIndex.ts'
import { until } from '../../support/until.ts'

/** Workers that share the chains. Each has connections, clients of the nodes and locks of its own. */

/** How long a node may be silent: longer than what one chain may wait for another. */
const SILENT_MS = 60_000
/** Less than the time after which a worker looks without any sign. */
const SOON_MS = 4_000

const started = new AsyncDisposableStack()
let workers = new AsyncDisposableStack()
let world: FeedWorld
beforeAll(async () => {
  world = await startFeedWorld(started)
})
afterEach(async () => {
  await workers.disposeAsync()
  workers = new AsyncDisposableStack()
})
afterAll(() => started.disposeAsync())

type Listener = Pick<IndexListener, 'onChange'>
type WorkerOptions = {
  rpcUrls?: Record<number, string>
  listener?: Listener
  /** At most so many connections besides that of the locks. */
  max?: number
}

/** Resolves to its connections, once it has passed over all that was there. */
async function startWorker({ rpcUrls, listener, max = 10 }: WorkerOptions = {}): Promise<Sql> {
  const sql = connect(world.url, { applicationName: 'worker', max })
  workers.defer(() => sql.end())
  const own = listener ? null : startIndexListener(world.url, () => {})
  if (own) workers.defer(own.stop)
  const feed = createIndexFeed({
    ...world.createContext(sql, rpcUrls, SILENT_MS),
    databaseUrl: world.url,
    listener: listener ?? own ?? { onChange: () => () => {} },
    logger: createLogger('test', 'silent'),
  }).start?.()
  workers.defer(async () => feed?.stop())
  await until(async () => (await dueChains(world.sql)).length === 0)
  return sql
}

/** A listener that hears nothing. */
const DEAF: Listener = { onChange: () => () => {} }

test('default: a chain whose node is silent holds up no other, nor takes a connection', async () => {
  const node = { rpcUrl: world.rpcUrls[1] ?? '', wsUrl: world.wsUrls[1] ?? '' }
  const silent = await startFaultyNode({ ...node, other: node })
  onTestFailed(() => silent.stop())
  await startWorker({ rpcUrls: { 1: silent.rpcUrl }, max: 1 })
  const lost = world.newOrder(1, 1)
  await world.submit(lost)
  await world.notify()
  await expect.poll(() => world.typesOf(lost)).toEqual(['submitted'])

  await silent.fall('silent')
  silent.takeCalls()
  await world.takeBack(lost, 'source')
  await world.notify()
  const asked: string[] = []
  await until(() => asked.push(...silent.takeCalls()) > 0)
  const askedAt = performance.now()
  for (const chainId of [4663, 8453, 4663]) {
    const order = world.newOrder(chainId, chainId)
    await world.submit(order)
    await world.notify()
    await expect.poll(() => world.typesOf(order)).toEqual(['submitted'])
  }
  expect(performance.now() - askedAt).toBeLessThan(SILENT_MS)
  expect(await world.typesOf(lost)).toEqual(['submitted'])

  // The first worker cannot ask any more, another one can.
  await silent.stop()
  await startWorker()
  expect(await world.typesOf(lost)).toEqual(['submitted', 'reverted'])
})

test('behavior: two workers share the chains, and each event is recorded once', async () => {
  const sqls = [await startWorker(), await startWorker()]
  const written = sqls.map(() => 0)
  for (const [index, sql] of sqls.entries())
    sql.options.debug = (_: number, text: string) => {
      if (text.includes('update app.feed_cursor')) written[index] = (written[index] ?? 0) + 1
    }
  await until(async () => {
    const orders = FEED_CHAINS.map((chainId) => world.newOrder(chainId, 4663))
    for (const order of orders) {
      await world.submit(order)
      await world.deliver(order)
    }
    await world.notify()
    for (const order of orders)
      await expect.poll(() => world.typesOf(order)).toEqual(['submitted', 'received'])
    return written.every((count) => count > 0)
  })
})

test('behavior: a chain that another worker passes over is left to it; what waits for its events follows them', async () => {
  const other = createSessionLocks(world.url, 'other-worker')
  workers.defer(other.stop)
  await startWorker({ listener: DEAF })
  const lock = await other.take('causeway.feed', 1)
  const [order, apart] = [world.newOrder(1, 4663), world.newOrder(8453, 8453)]
  const before = await world.passes()
  for (const one of [order, apart]) {
    await world.submit(one)
    await world.deliver(one)
  }
  await expect.poll(() => world.typesOf(apart)).toEqual(['submitted', 'received'])
  await until(async () => (await world.passes()).get(4663) !== before.get(4663))
  expect(await world.typesOf(order)).toEqual([])
  expect((await world.passes()).get(1)).toBe(before.get(1))
  await lock?.release()
  await expect.poll(() => world.typesOf(order)).toEqual(['submitted', 'received'])
})

test('behavior: what waits for the events of a chain follows them soon, whoever recorded them', async () => {
  await startWorker({ listener: DEAF })
  const other = createSessionLocks(world.url, 'other-worker')
  workers.defer(other.stop)
  await other.take('causeway.feed', 8453)
  const order = world.newOrder(8453, 1)
  const before = await world.passes()
  await world.submit(order)
  await world.deliver(order)
  await until(async () => (await world.passes()).get(1) !== before.get(1))
  expect(await world.typesOf(order)).toEqual([])
  await recordChainEvents(world.context, 8453)
  const since = performance.now()
  await expect.poll(() => world.typesOf(order)).toEqual(['submitted', 'received'])
  expect(performance.now() - since).toBeLessThan(SOON_MS)
})

test('behavior: it passes over chains whose rows changed, once more when they rest, and then only looks', async () => {
  const rings: (() => void)[] = []
  const listener = {
    onChange(ring: () => void) {
      rings.push(ring)
      return () => {}
    },
  }
  await replaceHeads(world.sql)
  const sql = await startWorker({ listener })
  // Ten seconds after the last change.
  await world.sql`update app.feed_cursor set again_at = now()`
  await until(async () => (await dueChains(world.sql)).length === 0)
  const before = await world.passes()
  let statements = 0
  sql.options.debug = () => {
    statements += 1
  }
  for (let look = 1; look <= 3; look += 1) {
    for (const ring of rings) ring()
    await until(() => statements >= look)
  }
  expect(statements).toBeLessThanOrEqual(4)
  expect(await world.passes()).toEqual(before)

  await world.sql`
    update facts.chain_head set block_hash = '0x01', last_change_hash = '0x01' where chain_id = 4663`
  for (const ring of rings) ring()
  await until(async () => (await world.passes()).get(4663) !== before.get(4663))
  expect(await world.passes()).toEqual(new Map([...before, [4663, (before.get(4663) ?? 0n) + 1n]]))
})

test('behavior: blocks that change no row need no pass of their own', async () => {
  await startWorker()
  await world.sql`update app.feed_cursor set again_at = now() + interval '1 hour', passed_hash = '0x02'`
  expect(await dueChains(world.sql)).toEqual([])
  await world.sql`update app.feed_cursor set again_at = null where chain_id = 4663`
  expect(await dueChains(world.sql)).toEqual([4663])
})
