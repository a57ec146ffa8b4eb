import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../../db/sql.ts'
import { createReadStore } from '../../../domain/cache/keptReads.ts'
import { createChainClients } from '../../../domain/chain/chainClients.ts'
import { createRouteLatencies } from '../../../domain/transit/routes/routeLatencies.ts'
import { recordChainEvents } from '../../../worker/feed/recordChainEvents.ts'
import { testAddressBook as addressBook } from '../../support/addressBook.ts'
import { type FeedWorld, startFeedWorld } from '../../support/feedWorld.ts'
import { createTestDatabase } from '../../support/postgres.ts'
import { until } from '../../support/until.ts'

test('behavior: before there is an index, no event is recorded', async () => {
  const database = await createTestDatabase()
  const sql = connect(database.url, { applicationName: 'test' })
  const chains = createChainClients([], { chains: [] })
  const routeLatencies = createRouteLatencies(sql, createReadStore('test', { max: 10 }))
  expect(await recordChainEvents({ sql, chains, addressBook, routeLatencies }, 1)).toBeNull()
  await sql.end()
  await database.drop()
})

describe('a pass over a chain', () => {
  const started = new AsyncDisposableStack()
  let world: FeedWorld
  beforeAll(async () => {
    world = await startFeedWorld(started)
  })
  afterAll(() => started.disposeAsync())
  const pass = (chainId: number) => recordChainEvents(world.context, chainId)

  test('default: an event of the destination waits for that of the submission', async () => {
    const order = world.newOrder(1, 4663)
    await world.submit(order)
    await world.deliver(order)
    expect(await pass(4663)).toEqual({ events: 0, isLeft: true })
    expect(await pass(1)).toEqual({ events: 2, isLeft: false })
    expect(await pass(4663)).toEqual({ events: 2, isLeft: false })
    expect(await world.typesOf(order)).toEqual(['submitted', 'received'])
  })

  test.each([
    ['at once, of a new block', 0, 0],
    ['after as long as it has waited', 4, 4_000],
    ['ten seconds after the last look, of an old block', 3_600, 10_000],
  ])(
    'behavior: a submission that is not indexed is looked for again %s',
    async (_, ageSeconds, least) => {
      const order = world.newOrder(1, 4663)
      await world.deliver(order)
      const at = Math.floor(Date.now() / 1_000) - ageSeconds
      await world.sql`
        update facts.transit_destination set block_timestamp = ${at} where order_id = ${order.id}`
      expect(await pass(4663)).toEqual({ events: 0, isLeft: true })
      const waitedMs = Date.now() - at * 1_000
      const [cursor] = await world.sql<{ pauseMs: number }[]>`
        select (extract(epoch from again_at - updated_at) * 1000)::integer as "pauseMs"
        from app.feed_cursor where chain_id = 4663`
      expect(cursor?.pauseMs).toBeGreaterThanOrEqual(least)
      expect(cursor?.pauseMs).toBeLessThanOrEqual(Math.min(waitedMs, 10_000))
      await world.submit(order)
      await pass(1)
      expect(await pass(4663)).toEqual({ events: 2, isLeft: false })
    },
  )

  test.each([
    ['in the same block', undefined],
    ['in another block', `0x${'0b'.repeat(32)}` as const],
  ])(
    'behavior: it waits again for a submission that was taken back and is there again, %s',
    async (_, blockHash) => {
      const order = world.newOrder(1, 4663)
      await world.submit(order)
      await pass(1)
      await world.takeBack(order, 'source')
      await pass(1)
      await world.submit(order, blockHash)
      await world.deliver(order)
      expect(await pass(4663)).toEqual({ events: 0, isLeft: true })
      await pass(1)
      await pass(4663)
      expect(await world.typesOf(order)).toEqual(['submitted', 'reverted', 'submitted', 'received'])
    },
  )

  test('behavior: a tombstone removes an order on its destination alone', async () => {
    const order = world.newOrder(1, 4663)
    await world.submit(order)
    await world.bar(order, 1)
    await world.bar(order, 8453)
    expect(await pass(1)).toEqual({ events: 2, isLeft: false })
    expect(await pass(8453)).toEqual({ events: 0, isLeft: false })
    await world.bar(order, 4663)
    expect(await pass(4663)).toEqual({ events: 2, isLeft: false })
    expect(await world.typesOf(order)).toEqual(['submitted', 'removed'])
  })

  test('behavior: a pass of the source that takes the submission back meanwhile comes first', async () => {
    const order = world.newOrder(1, 4663)
    await world.submit(order)
    await pass(1)
    await world.deliver(order)
    let destination: Promise<unknown> | undefined
    await world.sql.begin(async (source) => {
      await source`select from app.feed_cursor where chain_id = 1 for update`
      let isOver = false
      destination = pass(4663).finally(() => {
        isOver = true
      })
      await until(async () => isOver || (await isWaiting(world.sql)))
      await source`
        update app.seen_fact set is_retracted = true
        where chain_id = 1 and resource = ${`transit_order:${order.id}`}`
    })
    expect(await destination).toEqual({ events: 0, isLeft: true })
    // As if the submission came again.
    expect(await pass(1)).toEqual({ events: 2, isLeft: false })
    expect(await pass(4663)).toEqual({ events: 2, isLeft: false })
  })

  test('behavior: it does not wait for a submission that is final, whose fact is not stored', async () => {
    const order = world.newOrder(8453, 4663)
    await world.submit(order)
    await pass(8453)
    await world.sql`
      update app.feed_cursor set block_number = block_number + 1 where chain_id = 8453`
    await world.sql`delete from app.seen_fact where chain_id = 8453`
    await world.deliver(order)
    expect(await pass(4663)).toEqual({ events: 2, isLeft: false })
  })

  test('behavior: of passes at once one records, and its facts keep the ids of their events', async () => {
    const order = world.newOrder(1, 1)
    await world.submit(order)
    const passes = await Promise.all([pass(1), pass(1), pass(1)])
    expect(passes.toSorted()).toEqual([null, null, { events: 2, isLeft: false }].toSorted())
    await world.takeBack(order, 'source')
    await pass(1)
    expect(await world.typesOf(order)).toEqual(['submitted', 'reverted'])
  })

  test('behavior: a fact that the index lacks is kept until a node says whether it stands, final or not', async () => {
    const order = world.newOrder(4663, 4663)
    await world.submit(order)
    await pass(4663)
    await world.takeBack(order, 'source')
    await world.finalize(4663)
    const silent = world.createContext(world.sql, { 4663: 'http://127.0.0.1:9' })
    expect(await recordChainEvents(silent, 4663)).toEqual({ events: 0, isLeft: true })
    expect(await pass(4663)).toEqual({ events: 2, isLeft: false })
    expect(await world.typesOf(order)).toEqual(['submitted', 'reverted'])
    expect(await pass(4663)).toEqual({ events: 0, isLeft: false })
  })
})

/** Whether a statement of the database waits for a lock: a transaction would see only its first look. */
async function isWaiting(sql: Sql): Promise<boolean> {
  const rows = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return rows.length > 0
}
