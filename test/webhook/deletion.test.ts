import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { deleteEndpoint } from '../../domain/webhook/manageEndpoints.ts'
import { startReplay } from '../../domain/webhook/replay.ts'
import { until } from '../support/until.ts'
import { answer } from '../support/webhookReceiver.ts'
import { createWebhookWorld, type WebhookWorld } from '../support/webhookWorld.ts'

/** The worker has looked for replays. */
const REPLAYS_WALKED_MS = 1_000

let world: WebhookWorld
beforeEach(async () => {
  world = await createWebhookWorld()
})
afterEach(() => world.stop())

/** So many statements wait for a lock of a row. */
const untilWaiting = (count: number) =>
  until(async () => {
    const rows = await world.sql`select distinct pid from pg_locks where not granted`
    return rows.length === count
  })

const deadlocks = async () => {
  const [row] = await world.sql<{ deadlocks: number }[]>`
    select pg_stat_get_db_deadlocks(oid)::integer as deadlocks from pg_database
    where datname = current_database()`
  return row?.deadlocks
}

/** Deletes the endpoint while `other` works on it. The deletion waits for a row of `table` until then. */
async function deleteBeside(
  table: 'endpoint' | 'secret',
  endpointId: string,
  other: () => Promise<unknown>,
) {
  const place = { organizationId: world.organizationId, endpointId }
  let deletion: Promise<unknown> | undefined
  await world.sql.begin(async (transaction) => {
    await (table === 'endpoint'
      ? transaction`
          select 1 from app.webhook_endpoint where id = ${endpointId} for no key update`
      : transaction`
          select 1 from app.webhook_secret where endpoint_id = ${endpointId} for update`)
    deletion = deleteEndpoint(world.administrator, place)
    await untilWaiting(1)
    await other()
  })
  await deletion
  await world.idle()
  const failed = await world.sql`
    select last_error from graphile_worker.jobs where last_error is not null`
  expect([failed.length, await deadlocks()]).toEqual([0, 0])
  expect(await world.deliveries()).toEqual([])
}

test('behavior: an endpoint is deleted while an attempt to it is settled', async () => {
  const { endpoint } = await world.endpoint(world.receiver.url)
  world.receiver.behave(answer(500))
  await deleteBeside('endpoint', endpoint.id, async () => {
    await world.record('resource', ['a'])
    await world.work()
    await untilWaiting(2)
  })
})

test('behavior: an endpoint is deleted while a replay to it goes on', async () => {
  const { endpoint } = await world.endpoint(world.receiver.url)
  await world.record('resource', ['a'])
  const place = { organizationId: world.organizationId, endpointId: endpoint.id }
  await startReplay(world.administrator, place, { after: '0' })
  await deleteBeside('secret', endpoint.id, async () => {
    await world.work()
    await sleep(REPLAYS_WALKED_MS)
  })
})
