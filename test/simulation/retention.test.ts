import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connect } from '../../db/sql.ts'
import { retainDays } from '../../domain/retention/retainDays.ts'
import { listEvents } from '../../domain/webhook/listEvents.ts'
import { changeEndpoint } from '../../domain/webhook/manageEndpoints.ts'
import { createDatabaseClock, type DatabaseClock } from '../support/databaseClock.ts'
import { asProcessRole } from '../support/databaseRole.ts'
import { readerOf } from '../support/readerOf.ts'
import { until } from '../support/until.ts'
import { type Receiver, startReceiver } from '../support/webhookReceiver.ts'
import { createWebhookWorld, type WebhookWorld } from '../support/webhookWorld.ts'

/**
 * Days of events with a clock that moves: the tables stop growing, and nothing is lost that somebody waits for.
 * `SIMULATED_DAYS=365` takes the product's own defaults; fewer days keep fewer.
 */
const DAYS = Number(process.env.SIMULATED_DAYS ?? 80)
const ORDERS_A_DAY = Number(process.env.ORDERS_A_DAY ?? 5)
const KEPT =
  DAYS >= 365
    ? { events: 90, deliveries: 30, attempts: 14 }
    : { events: 18, deliveries: 6, attempts: 3 }
/** When the database is measured first: all that is kept is full. */
const EARLY = Math.round(DAYS * 0.55)
/** Longer than events are kept. */
const QUARTER = Math.ceil(DAYS / 4)
const DAY_MS = 86_400_000
/** The endpoint that is disabled from then on has events that wait. */
const DISABLED_ON = 5
/** One order is executed so long after it was sent. */
const LATE_DAYS = Math.round(DAYS * 0.8)

const realNow = Date.now
let passed: number
let clock: DatabaseClock
let world: WebhookWorld
let other: Receiver
beforeEach(async () => {
  world = await createWebhookWorld(async (databaseUrl) => {
    clock = await createDatabaseClock(databaseUrl)
  })
  other = await startReceiver()
  passed = 0
  vi.spyOn(Date, 'now').mockImplementation(() => realNow() + passed * DAY_MS)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await world.stop()
  await clock.stop()
  await other.stop()
})

async function passDay() {
  passed += 1
  await clock.pass(1)
}

/** Of all tables of the app. Postgres's own catalogue reaches its size only in a year: each day makes tables. */
async function sizeMb() {
  const [row] = await world.sql<{ bytes: string }[]>`
    select sum(pg_total_relation_size(c.oid)) as bytes
    from pg_class c where c.relnamespace = 'app'::regnamespace and c.relkind = 'r'`
  return Number(row?.bytes) / 1e6
}

async function waitingCount() {
  const [row] = await world.sql<{ count: number }[]>`
    select count(*)::integer as count from app.webhook_delivery where status = 'waiting'`
  return row?.count
}

const lastEvent = 'transit.order.processed'

test('behavior: the tables stop growing, and what waited arrives', async () => {
  const { endpoint } = await world.endpoint(other.url)
  const disabled = { organizationId: world.organizationId, endpointId: endpoint.id }
  await world.endpoint(world.receiver.url)
  const workerSql = connect(asProcessRole(world.databaseUrl, 'worker'), { applicationName: 'test' })
  await world.work()
  const recorded: string[] = []
  const record = async (...given: Parameters<WebhookWorld['record']>) => {
    recorded.push(...(await world.record(...given)))
  }
  const sizes = new Map<number, number>()
  let waiting: string[] = []
  for (let day = 1; day <= DAYS; day += 1) {
    for (let order = 0; order < ORDERS_A_DAY; order += 1) {
      await record(`transit_order:${day}.${order}`, ['sent'], 'transit.order.submitted')
      await record(`transit_order:${day}.${order}`, ['done'], lastEvent)
    }
    if (day === DISABLED_ON) {
      await world.receiver.until(recorded.length)
      await other.until(recorded.length)
      // Nothing is sent while these are recorded and the endpoint is disabled.
      await world.rest()
      await record('transit_order:waits', ['a', 'b'], 'transit.order.submitted')
      waiting = recorded.slice(-2)
      await changeEndpoint(world.administrator, disabled, { status: 'disabled' })
      await world.work()
    }
    if (day === 10) await record('transit_order:late', ['sent'], 'transit.order.submitted')
    if (day % QUARTER === 1) await record('vault:one', [`paused ${day}`], 'vault.paused')
    if (day === 10 + LATE_DAYS) await record('transit_order:late', ['done'], lastEvent)
    await world.receiver.until(recorded.length)
    await until(async () => (await waitingCount()) === waiting.length)
    await passDay()
    await retainDays(workerSql, KEPT)
    // The server of the tests does not do it by itself.
    if (day % 20 === 0) await world.sql`vacuum`
    if (day === EARLY || day === DAYS) sizes.set(day, await sizeMb())
  }
  await workerSql.end()
  const [early = 0, late = 0] = sizes.values()
  process.stdout.write(
    `after ${EARLY} days ${early.toFixed(1)} MB, after ${DAYS} ${late.toFixed(1)} MB\n`,
  )
  expect(late).toBeLessThan(early * 1.1)
  expect(late).toBeGreaterThan(early * 0.9)
  // All came once, and sequences go on where the older events are dropped.
  expect(world.receiver.received.map(({ event }) => event.id).toSorted()).toEqual(
    recorded.toSorted(),
  )
  const sequences = (name: RegExp) =>
    world.receiver.received
      .filter(({ event }) => name.test(String(event.deposit_id)))
      .map(({ event }) => event.sequence)
  expect(sequences(/^vault:one$/)).toEqual([1, 2, 3, 4])
  expect(sequences(/:late$/)).toEqual([1, 2])
  // What waited is sent as it was recorded.
  const before = other.received.length
  await changeEndpoint(world.administrator, disabled, { status: 'enabled' })
  await other.until(before + 2)
  expect(other.received.slice(before).map(({ event }) => event.id)).toEqual(waiting)
  await expectLog(recorded)
}, 1_800_000)

/** The log has the newest days, without a gap, and says where it begins. */
async function expectLog(recorded: string[]) {
  const caller = readerOf(world.organizationId, ['webhooks'])
  const context = { adHocSql: world.sql, caller }
  const listed: unknown[] = []
  let after: string | undefined
  for (;;) {
    const page = await listEvents(context, { after, pageSize: 100 })
    listed.push(...page.events.map(({ event }) => event.id))
    after = page.nextAfter
    if (!page.hasMore) break
  }
  expect(listed.length).toBeGreaterThan((KEPT.events - 1) * 2 * ORDERS_A_DAY)
  expect(listed.length).toBeLessThan((KEPT.events + 3) * 2 * ORDERS_A_DAY)
  expect(listed).toEqual(recorded.slice(-listed.length))
  const oldestSequence = String(recorded.length - listed.length + 1)
  await expect(listEvents(context, { after: '0', pageSize: 10 })).rejects.toMatchObject({
    reason: 'EVENTS_EXPIRED',
    metadata: { oldestSequence },
  })
}
