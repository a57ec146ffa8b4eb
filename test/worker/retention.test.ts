import type { ISql, Sql } from 'postgres'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { connect } from '../../db/sql.ts'
import { retainDays } from '../../domain/retention/retainDays.ts'
import { readStorage } from '../../domain/retention/storage.ts'
import { changeEndpoint, deleteEndpoint } from '../../domain/webhook/manageEndpoints.ts'
import { recordEvents } from '../../domain/webhook/recordEvents.ts'
import { redeliver } from '../../domain/webhook/redeliver.ts'
import { createDatabaseClock, type DatabaseClock } from '../support/databaseClock.ts'
import { asProcessRole } from '../support/databaseRole.ts'
import { until } from '../support/until.ts'
import { answer } from '../support/webhookReceiver.ts'
import { createWebhookWorld, type WebhookWorld } from '../support/webhookWorld.ts'

const KEPT = { events: 3, deliveries: 2, attempts: 1 }
const ENDED = 'transit.order.processed'
const realNow = Date.now

let passed: number
let clock: DatabaseClock
let world: WebhookWorld
let workerSql: Sql
let place: { organizationId: string; endpointId: string }
beforeEach(async () => {
  passed = 0
  vi.spyOn(Date, 'now').mockImplementation(() => realNow() + passed * 86_400_000)
  world = await createWebhookWorld(async (databaseUrl) => {
    clock = await createDatabaseClock(databaseUrl)
  })
  workerSql = connect(asProcessRole(world.databaseUrl, 'worker'), { applicationName: 'test' })
  const { endpoint } = await world.endpoint(world.receiver.url)
  place = { organizationId: world.organizationId, endpointId: endpoint.id }
})
afterEach(async () => {
  vi.restoreAllMocks()
  await workerSql.end()
  await world.stop()
  await clock.stop()
})

/** Days without work of the worker, then its retention. */
async function pass(days: number) {
  await retainDays(workerSql, KEPT)
  passed += days
  await clock.pass(days)
  await retainDays(workerSql, KEPT)
}

const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)
const events = async () =>
  ids(await world.sql<{ id: string }[]>`select id from app.event order by organization_sequence`)
const deliveries = async () =>
  ids(
    await world.sql`select event_id as id from app.webhook_delivery order by organization_sequence`,
  )
const attempts = async () =>
  ids(await world.sql`select event_id as id from app.webhook_attempt order by id`)
const delivered = () =>
  until(async () => (await world.deliveries()).every(({ status }) => status === 'delivered'))
const expired = async () => {
  const [row] = await world.sql<{ expired: bigint }[]>`select expired from app.event_sequence`
  return row?.expired
}
/** Whether a session of the database waits for a lock. */
const isWaiting = async () => {
  const waiting = await world.sql`
    select from pg_locks join pg_stat_activity using (pid)
    where not granted and datname = current_database()`
  return waiting.length > 0
}

describe('retention', () => {
  test('default: each table is kept for its days, and not longer', async () => {
    await retainDays(workerSql, KEPT)
    await world.work()
    const recorded = await world.record('order', ['a'], ENDED)
    await delivered()
    await world.idle()
    await pass(2)
    expect([await events(), await deliveries(), await attempts()]).toEqual([recorded, recorded, []])
    await pass(1)
    expect([await events(), await deliveries(), await expired()]).toEqual([recorded, [], 0n])
    await pass(1)
    expect([await events(), await expired()]).toEqual([[], 1n])
    const { overdueDays } = await readStorage(world.sql, { kept: KEPT, capacityBytes: null })
    expect(overdueDays.map(({ days }) => days)).toEqual([0, 0, 0])
  })

  test('behavior: what is not delivered stays with its event, until it is; 0 keeps for ever', async () => {
    await changeEndpoint(world.administrator, place, { status: 'enabled' })
    const recorded = await world.record('order', ['a', 'b'], ENDED)
    await pass(9)
    await world.work()
    await world.receiver.until(2)
    expect(ids(world.receiver.received.map(({ event }) => event))).toEqual(recorded)
    await delivered()
    await retainDays(workerSql, KEPT)
    // The deliveries are shown with their events, which can be sent once more.
    expect(await events()).toEqual(recorded)
    const [eventId = ''] = recorded
    await redeliver(world.administrator, { ...place, eventId })
    await world.receiver.until(3)
    await delivered()
    await pass(3)
    expect([await deliveries(), await events()]).toEqual([[], []])
    await world.record('order', ['c'], ENDED)
    await delivered()
    passed += 900
    await clock.pass(900)
    await retainDays(workerSql, { events: 0, deliveries: 0, attempts: 0 })
    expect([(await deliveries()).length, (await events()).length]).toEqual([1, 1])
  })

  test('behavior: a resource that can have more events goes on counting', async () => {
    await retainDays(workerSql, KEPT)
    await world.record('vault:one', ['a', 'b'], 'vault.paused')
    await world.record('order', ['c'], ENDED)
    await world.sql`delete from app.webhook_delivery`
    await pass(20)
    expect(await events()).toEqual([])
    await world.record('vault:one', ['d'], 'vault.unpaused')
    await world.record('order', ['c'], ENDED)
    const rows = await world.sql<{ sequence: number }[]>`
      select resource_sequence as sequence from app.event order by resource`
    expect(rows.map(({ sequence }) => sequence)).toEqual([1, 3])
  })

  test('behavior: a resource whose first event was taken back counts no more, and another does', async () => {
    await retainDays(workerSql, KEPT)
    const revert = (resource: string, revertedType: string) =>
      world.sql.begin((transaction) =>
        recordEvents(transaction, [
          {
            organizationId: place.organizationId,
            resource,
            name: 'reverted',
            type: 'transit.order.reverted',
            fields: { reverted_type: revertedType },
          },
        ]),
      )
    await world.record('order:gone', ['a'], 'transit.order.submitted')
    await revert('order:gone', 'transit.order.submitted')
    await world.record('order:open', ['a'], 'transit.order.submitted')
    await revert('order:open', 'transit.order.executed')
    await world.sql`delete from app.webhook_delivery`
    await pass(20)
    expect(await events()).toEqual([])
    const counted = await world.sql`select resource, last_sequence from app.event_resource`
    expect(counted).toEqual([{ resource: 'order:open', last_sequence: 2 }])
  })

  test('behavior: what an endpoint and its resource counted goes with the endpoint', async () => {
    await world.record(`webhook_endpoint:${place.endpointId}`, ['a'], 'endpoint.failing')
    await deleteEndpoint(world.administrator, place)
    expect(await world.sql`select from app.event_resource`).toHaveLength(0)
  })

  test('error: while a reader holds a table nothing is dropped; then it is', async () => {
    await retainDays(workerSql, KEPT)
    await world.record('order', ['a'], ENDED)
    await world.sql`delete from app.webhook_delivery`
    passed += 9
    await clock.pass(9)
    await world.sql.begin(async (transaction) => {
      await transaction`select from app.event`
      await expect(retainDays(workerSql, KEPT)).rejects.toMatchObject({ code: '55P03' })
      expect(await events()).toHaveLength(1)
    })
    await retainDays(workerSql, KEPT)
    expect(await events()).toEqual([])
  })

  test('behavior: midnight between the two steps: no day is dropped that was not expired', async () => {
    await retainDays(workerSql, KEPT)
    await world.record('order', ['a'], ENDED)
    passed += 1
    await clock.pass(1)
    const [newest] = await world.record('order', ['b'], ENDED)
    await world.sql`delete from app.webhook_delivery`
    passed += KEPT.events
    await clock.pass(KEPT.events)
    await clock.passAtExpiry()
    await retainDays(workerSql, KEPT)
    expect([await events(), await expired()]).toEqual([[newest], 1n])
  })

  test('behavior: events that come while the day is made are in it', async () => {
    // The patience of a worker, which a busy machine may use up.
    await world.sql`alter function app.make_day set lock_timeout = '1min'`
    let made: Promise<unknown> = Promise.resolve()
    await world.sql.begin(async (transaction) => {
      const event = { type: ENDED, resource: 'order', fields: {}, ...place } as const
      await recordEvents(transaction, [{ ...event, name: 'a' }])
      made = workerSql`select app.make_day('app.event', (now() at time zone 'utc')::date)`
      made.catch(() => {})
      await until(isWaiting)
    })
    await made
    const [kept] = await world.sql`select count(*)::integer as rows from app.event_kept`
    expect([kept?.rows, (await events()).length]).toEqual([0, 1])
  })

  test('behavior: organizations are locked in the order in which their events are recorded', async () => {
    const low = '00000000-0000-4000-8000-000000000000'
    const high = 'ffffffff-ffff-4fff-8fff-ffffffffffff'
    // The later one is first in the table.
    for (const organizationId of [high, low]) {
      await world.sql`insert into app.organization (id, name) values (${organizationId}, ${organizationId})`
      const event = {
        organizationId,
        type: ENDED,
        resource: 'order',
        name: 'a',
        fields: {},
      } as const
      await world.sql.begin((transaction) => recordEvents(transaction, [event]))
    }
    await retainDays(workerSql, KEPT)
    passed += 9
    await clock.pass(9)
    let retained: Promise<unknown> = Promise.resolve()
    const lock = (sql: ISql, id: string) => sql`
      select from app.event_sequence where organization_id = ${id} for no key update nowait`
    await world.sql.begin(async (transaction) => {
      await lock(transaction, low)
      retained = retainDays(workerSql, KEPT)
      retained.catch(() => {})
      await until(isWaiting)
      await lock(transaction, high)
    })
    await retained
  })

  test('behavior: an endpoint is deleted with what ended, in whatever day it is', async () => {
    await retainDays(workerSql, KEPT)
    world.receiver.behave(answer(204))
    await world.work()
    await world.record('order', ['a'], ENDED)
    await delivered()
    await deleteEndpoint(world.administrator, place)
    expect([await deliveries(), await attempts()]).toEqual([[], []])
  })
})
