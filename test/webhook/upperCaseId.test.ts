import { afterEach, beforeEach, expect, test } from 'vitest'
import { changeEndpoint } from '../../domain/webhook/manageEndpoints.ts'
import { redeliver } from '../../domain/webhook/redeliver.ts'
import { startReplay } from '../../domain/webhook/replay.ts'
import { until } from '../support/until.ts'
import { createWebhookWorld, type WebhookWorld } from '../support/webhookWorld.ts'

let world: WebhookWorld
let place: { organizationId: string; endpointId: string }
beforeEach(async () => {
  world = await createWebhookWorld()
  const { endpoint } = await world.endpoint(world.receiver.url)
  place = { organizationId: world.organizationId, endpointId: endpoint.id.toUpperCase() }
})
afterEach(() => world.stop())

test('behavior: headers that were set by an id in upper case are sent', async () => {
  const headers = [{ name: 'x-tenant', value: '7' }]
  await changeEndpoint(world.administrator, place, { headers })
  await world.work()
  await world.record('one', ['a'])
  const [received] = await world.receiver.until(1)
  expect(received?.headers).toMatchObject({ 'x-tenant': '7' })
})

test('behavior: a redelivery by an id in upper case waits for the replay', async () => {
  const [eventId = ''] = await world.record('one', ['a'])
  await startReplay(world.administrator, place, { after: '0' })
  let sent: Promise<unknown> = Promise.resolve()
  await world.sql.begin(async (transaction) => {
    await transaction`select from app.webhook_replay for update`
    let isSent = false
    sent = redeliver(world.administrator, { ...place, eventId }).then(() => {
      isSent = true
    })
    await until(async () => {
      const waiting = await world.sql`
        select from pg_locks join pg_stat_activity using (pid)
        where not granted and datname = current_database()`
      return isSent || waiting.length > 0
    })
    expect(isSent).toBe(false)
  })
  await sent
})
