import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordChainEvents } from '../../../worker/feed/recordChainEvents.ts'
import {
  FEED_CHAINS,
  type FedOrder,
  type FeedWorld,
  startFeedWorld,
} from '../../support/feedWorld.ts'
import { passOverChains } from '../../support/passOverChains.ts'
import { seededRandom } from '../../support/seededRandom.ts'

const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 1e6))
const MOVES = Number(process.env.MOVES ?? 300)
/** Passes that run at the same time. */
const SIDE_BY_SIDE = 5

type Side = 'source' | 'destination'
type Move = FedOrder & { logs: Record<Side, boolean> }
type Event = { id: string; organization: string; type: string; reverts: string | null }

const random = seededRandom(SEED)
const started = new AsyncDisposableStack()
let world: FeedWorld
beforeAll(async () => {
  world = await startFeedWorld(started)
})
afterAll(() => started.disposeAsync())

// Several passes run side by side, as those of several workers do, while logs come and are taken back.
test(`default: each log that is there has its event once, after its submission's (SEED=${SEED})`, async () => {
  const orders: Move[] = []
  const running = new Set<Promise<unknown>>()
  for (let move = 0; move < MOVES; move += 1) {
    await (random.chance(0.4) ? makeMove(orders) : startPass(running))
  }
  await Promise.all(running)
  while ((await passOverChains(world.context, FEED_CHAINS)) > 0);
  expect(orders.length).toBeGreaterThan(0)
  for (const order of orders) await checkOrder(order)
  await checkFacts()
})

async function makeMove(orders: Move[]) {
  const [from, to] = [random.pick(FEED_CHAINS), random.pick(FEED_CHAINS)]
  if (random.chance(0.3) || orders.length === 0)
    orders.push({ ...world.newOrder(from, to), logs: { source: false, destination: false } })
  const order = random.pick(orders.slice(-4) as [Move, ...Move[]])
  const side = random.pick<Side>(['source', 'destination'])
  if (order.logs[side]) await world.takeBack(order, side)
  else {
    // Its first block again, or another one.
    const blockHash = random.pick([`0x${'0a'.repeat(32)}`, random.hex(32)] as const)
    await (side === 'source' ? world.submit : world.deliver)(order, blockHash)
  }
  order.logs[side] = !order.logs[side]
}

async function startPass(running: Set<Promise<unknown>>) {
  const pass = recordChainEvents(world.context, random.pick(FEED_CHAINS)).finally(() =>
    running.delete(pass),
  )
  running.add(pass)
  if (running.size >= SIDE_BY_SIDE) await Promise.race(running)
}

async function checkOrder(order: Move) {
  const events = await world.sql<Event[]>`
    select id, organization_id as organization, type, body ->> 'reverted_event_id' as reverts
    from app.event where resource = ${`transit_order:${order.id}`} order by organization_sequence`
  for (const ofOne of Map.groupBy(events, ({ organization }) => organization).values()) {
    /** The types of the events that hold, by id. */
    const holding = new Map<string, string>()
    for (const { id, type, reverts } of ofOne) {
      if (reverts) expect(holding.delete(reverts)).toBe(true)
      else {
        if (type === 'transit.order.received')
          expect([...holding.values()]).toContain('transit.order.submitted')
        expect([...holding.values()]).not.toContain(type)
        holding.set(id, type)
      }
    }
    const { source, destination } = order.logs
    expect([...holding.values()].toSorted()).toEqual([
      ...(source && destination ? ['transit.order.received'] : []),
      ...(source ? ['transit.order.submitted'] : []),
    ])
  }
  // Both organizations have the same.
  expect(events.length % 2).toBe(0)
  if (order.logs.source) expect(events.length).toBeGreaterThan(0)
}

/** Each fact keeps the ids of all of its events. */
async function checkFacts() {
  const facts = await world.sql<{ ids: string[] }[]>`
    select event_ids as ids from app.seen_fact where not is_retracted`
  expect(facts.length).toBeGreaterThan(0)
  for (const { ids } of facts) expect(ids).toHaveLength(2)
}
