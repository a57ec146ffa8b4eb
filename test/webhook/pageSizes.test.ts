import { afterEach, beforeEach, expect, test } from 'vitest'
import { connect } from '../../db/sql.ts'
import { listEvents } from '../../domain/webhook/listEvents.ts'
import { createWebhookWorld, type WebhookWorld } from '../support/webhookWorld.ts'

let world: WebhookWorld
beforeEach(async () => {
  world = await createWebhookWorld()
})
afterEach(() => world.stop())

test('behavior: pages of many sizes leave no prepared statement each', async () => {
  const sql = connect(world.databaseUrl, { applicationName: 'test', max: 1 })
  const caller = { organizationId: world.organizationId, permissions: ['webhooks'] }
  const context = { sql, adHocSql: world.sql, caller } as unknown as Parameters<
    typeof listEvents
  >[0]
  for (let pageSize = 1; pageSize <= 30; pageSize += 1) await listEvents(context, { pageSize })
  const [row] = await sql`
    select count(*)::integer as statements from pg_prepared_statements where statement like ${'%examined%'}`
  expect(row?.statements).toBe(1)
  await sql.end()
})
