import { afterEach, beforeEach, expect, test } from 'vitest'
import { createWebhookWorld, type WebhookWorld } from '../support/webhookWorld.ts'

let world: WebhookWorld
beforeEach(async () => {
  world = await createWebhookWorld()
})
afterEach(() => world.stop())

test('behavior: a delivery whose job was lost is sent all the same, in order', async () => {
  await world.endpoint(world.receiver.url)
  const recorded = await world.record('one', ['a', 'b'])
  await world.sql`
    select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`
  await world.work({ staleMs: 800 })
  await world.receiver.until(2)
  expect(world.receiver.received.map(({ event }) => event.id)).toEqual(recorded)
})
