import type { Sql, TransactionSql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../db/sql.ts'
import { listDeliveries } from '../../domain/webhook/listDeliveries.ts'
import { listEvents } from '../../domain/webhook/listEvents.ts'
import { recordEvents } from '../../domain/webhook/recordEvents.ts'
import type { WebhookContext } from '../../domain/webhook/webhookContext.ts'
import { claimDelivery } from '../../worker/webhook/claimDelivery.ts'
import { countEvents } from '../support/countEvents.ts'
import { readerOf } from '../support/readerOf.ts'
import { createWebhookWorld, type WebhookWorld } from '../support/webhookWorld.ts'

const DAYS = 40
const A_DAY = 10
const TABLES = ['event', 'webhook_delivery_ended']

let world: WebhookWorld
/** One session: what a read opens is known by its locks. */
let sql: Sql
let endpointId: string
beforeAll(async () => {
  world = await createWebhookWorld()
  endpointId = (await world.endpoint(world.receiver.url)).endpoint.id
  sql = connect(world.databaseUrl, { applicationName: 'test', max: 1, prepare: false })
  for (const table of TABLES)
    await sql`
      select app.make_day(${`app.${table}`}::regclass, current_date - ahead)
      from generate_series(0, ${DAYS}::integer) ahead`
  for (let day = 0; day < DAYS; day += 1)
    await world.record(`transit_order:${day}`, [...Array(A_DAY).keys()].map(String))
  await world.record('transit_order:rare', ['rare'], 'transit.order.removed')
  const at = sql`date_trunc('milliseconds', now()) - make_interval(days => ${DAYS} - (organization_sequence - 1)::integer / ${A_DAY}::integer)`
  await sql`update app.event set created_at = ${at}`
  await sql`
    update app.webhook_delivery d set event_at = e.created_at from app.event e where e.id = d.event_id`
  await sql`
    update app.webhook_delivery set status = 'delivered' where resource <> 'transit_order:rare'`
  await countEvents(sql)
  await sql`analyze`
})
afterAll(async () => {
  await sql?.end()
  await world?.stop()
})

type Reading = Pick<WebhookContext, 'sql' | 'adHocSql' | 'caller' | 'appSecret'>

/** The result of a read in a transaction, and how many days it opened. */
async function opened<Result>(
  read: (sql: Sql & TransactionSql, context: Reading) => Promise<Result>,
) {
  return sql.begin(async (transaction) => {
    const caller = readerOf(world.organizationId, ['webhooks'])
    const own = transaction as Sql & TransactionSql
    const context = { sql: own, adHocSql: own, caller, appSecret: Buffer.alloc(32) }
    const result = await read(own, context)
    const [row] = await transaction<{ days: number }[]>`
      select count(distinct c.relname)::integer as days
      from pg_locks l join pg_class c on c.oid = l.relation
      where l.pid = pg_backend_pid() and c.relkind = 'r' and c.relname ~ '_20\\d{6}$'`
    return { result, days: row?.days }
  })
}

describe('the days that a statement opens', () => {
  test.each([
    ['the first page', { after: '0' }, 1],
    ['a page in the middle', { after: '205' }, 2],
    ['a poll that finds nothing', { after: String(DAYS * A_DAY + 1) }, 0],
  ])('%s', async (_name, query, most) => {
    const page = await opened((_sql, context) => listEvents(context, { ...query, pageSize: 8 }))
    expect(page.days).toBeLessThanOrEqual(most)
  })

  test('a rare type: twice as many with each statement, until it is found', async () => {
    const filter = 'type = transit.order.removed'
    const near = await opened((_sql, context) =>
      listEvents(context, { after: String((DAYS - 2) * A_DAY), filter, pageSize: 8 }),
    )
    expect(near.result.events).toHaveLength(1)
    expect(near.days).toBeLessThanOrEqual(4)
    const far = await opened((_sql, context) => listEvents(context, { filter, pageSize: 8 }))
    expect(far.result.events).toEqual(near.result.events)
  })

  test('the newest deliveries', async () => {
    const params = { endpointId, pageSize: 8 }
    const first = await opened((_sql, context) => listDeliveries(context, params))
    expect(first.result.deliveries).toHaveLength(8)
    // The newest day has one: the next statement opens four.
    expect(first.days).toBeLessThanOrEqual(5)
  })

  test('a claim: the day of its event', async () => {
    const claim = await opened((own) =>
      claimDelivery(own, { endpointId, resource: 'transit_order:rare' }, 1_000),
    )
    expect(claim.result?.body).toContain('rare')
    expect(claim.days).toBe(1)
  })

  test('what is recorded: the days of its resource, and none for a new one', async () => {
    const { organizationId } = world
    const type = 'transit.order.executed'
    const record = (resource: string, name: string) =>
      opened((own) => recordEvents(own, [{ organizationId, type, resource, name, fields: {} }]))
    expect(await record('transit_order:7', '3')).toMatchObject({ result: [], days: 1 })
    // With the day in which it is written.
    expect((await record('transit_order:7', 'new')).days).toBe(2)
    expect((await record('transit_order:new', 'new')).days).toBe(1)
  })
})
