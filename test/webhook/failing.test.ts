import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { changeEndpoint } from '../../domain/webhook/manageEndpoints.ts'
import { undescribedEvent } from '../support/describedAnswer.ts'
import { until } from '../support/until.ts'
import { accept, answer, type Receiver, startReceiver } from '../support/webhookReceiver.ts'
import { createWebhookWorld, type WebhookWorld } from '../support/webhookWorld.ts'

/** Between the worker's looks for endpoints that fail. */
const WATCH_MS = 100

let world: WebhookWorld
let other: Receiver
let endpointId: string
beforeEach(async () => {
  world = await createWebhookWorld()
  other = await startReceiver()
  await world.endpoint(other.url, { eventTypes: ['endpoint.*'] })
  const { endpoint } = await world.endpoint(world.receiver.url)
  endpointId = endpoint.id
  world.receiver.behave(answer(500))
  await world.work({ watchMs: WATCH_MS })
})
afterEach(async () => {
  await world.stop()
  await other.stop()
})

/** The endpoint has failed for this much longer, and was last told so. */
async function passFailing(interval: string) {
  await world.sql`
    update app.webhook_endpoint set failing_since = failing_since - ${interval}::interval,
      failing_reported_at = failing_reported_at - ${interval}::interval`
}

/** The other endpoint has deliveries too, which it accepts. */
const failed = async (count: number) => {
  const deliveries = await world.deliveries()
  return deliveries.filter(({ lastStatus }) => lastStatus === 500).length === count
}

async function audited() {
  const rows = await world.sql<{ action: string }[]>`
    select action from app.audit where subject = ${endpointId} and actor = 'worker' order by id`
  return rows.map(({ action }) => action)
}

describe('an endpoint that accepts nothing', () => {
  test('default: 20 failures in a row are told the other endpoint and the audit log, once a day', async () => {
    for (let index = 0; index < 20; index += 1) await world.record(`resource ${index}`, ['a'])
    const event = (await other.until(1))[0]?.event
    const most = world.receiver.received.length
    expect(event).toMatchObject({
      type: 'endpoint.failing',
      endpoint_id: endpointId,
      endpoint_origin: new URL(world.receiver.url).origin,
      // Further attempts may fail before the worker looks, each with a request.
      failures_in_row: expect.toSatisfy((count: number) => count >= 20 && count <= most),
      last_status: 500,
      last_error: 'answered 500',
    })
    expect(undescribedEvent(event ?? {})).toEqual([])
    expect(world.receiver.received.every((one) => one.event.type !== 'endpoint.failing')).toBe(true)
    await world.record('one more', ['a'])
    await until(() => failed(21))
    await passFailing('23 hours')
    await world.idle()
    expect(other.received).toHaveLength(1)
    await passFailing('1 hour')
    await other.until(2)
    expect(await audited()).toEqual(['webhook.failing', 'webhook.failing'])
  })

  test('behavior: an hour without a success is told; then all that waits comes once one is accepted', async () => {
    await world.record('one', ['a', 'b'])
    await world.record('two', ['c'])
    await until(() => failed(2))
    await passFailing('1 hour')
    await other.until(1)
    // The next attempts are in a while, but a new event finds that the endpoint accepts.
    await world.sql`
      update app.webhook_delivery set next_attempt_at = now() + interval '1 day' where status = 'waiting'`
    const before = world.receiver.received.length
    world.receiver.behave(accept)
    await world.record('three', ['d'])
    await world.receiver.until(before + 4)
    const came = world.receiver.received.slice(before).map(({ event }) => event.name)
    expect(came.filter((name) => name === 'a' || name === 'b')).toEqual(['a', 'b'])
    const [row] = await world.sql`
      select failures_in_row, failing_since, failing_reported_at from app.webhook_endpoint
      where id = ${endpointId}`
    expect(row).toEqual({ failures_in_row: 0, failing_since: null, failing_reported_at: null })
  })

  test('behavior: all waiting deliveries come, also if the database fails at the first success', async () => {
    for (const resource of ['one', 'two']) await world.record(resource, ['a'])
    await until(() => failed(2))
    await passFailing('1 hour')
    await other.until(1)
    await world.sql`
      update app.webhook_delivery set next_attempt_at = now() + interval '1 day' where status = 'waiting'`
    await world.sql.unsafe(`
      create sequence app.refused;
      create function app.refuse() returns trigger language plpgsql security definer as $$
        begin perform nextval('app.refused'); raise 'not now'; end $$;
      create trigger refuse before update on app.webhook_delivery_waiting for each row
        when (old.next_attempt_at - new.next_attempt_at > interval '1 hour')
        execute function app.refuse()`)
    await world.rest()
    // A delivery whose success could not be written is tried again after these times.
    await world.work({ watchMs: WATCH_MS, timeoutMs: 3_000, claimSlackMs: 100 })
    const before = world.receiver.received.length
    world.receiver.behave(accept)
    await world.record('three', ['b'])
    await until(async () => (await world.sql`select from app.refused where is_called`).length > 0)
    await world.sql`drop function app.refuse cascade`
    const accepted = () =>
      world.receiver.received.slice(before).map(({ event }) => event.deposit_id)
    await until(() => accepted().includes('one') && accepted().includes('two'))
  })

  test('behavior: five days without a success disable it, which is told; enabled, it begins anew', async () => {
    await world.record('one', ['a'])
    await until(() => failed(1))
    await passFailing('5 days')
    const [received] = await other.until(1)
    expect(received?.event).toMatchObject({
      type: 'endpoint.disabled',
      endpoint_id: endpointId,
      reason: 'failing',
    })
    expect(undescribedEvent(received?.event ?? {})).toEqual([])
    expect(await audited()).toEqual(['webhook.disabled'])
    const place = { organizationId: world.organizationId, endpointId }
    const enabled = await changeEndpoint(world.administrator, place, { status: 'enabled' })
    expect(enabled).toMatchObject({ disabledReason: null, failingSince: null, isFailing: false })
  })
})
