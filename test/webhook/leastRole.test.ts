import { afterEach, beforeEach, expect, test } from 'vitest'
import { connect } from '../../db/sql.ts'
import { retainDays } from '../../domain/retention/retainDays.ts'
import { pingEndpoint, sendTestEvent } from '../../domain/webhook/askedEvents.ts'
import { changeEndpoint, deleteEndpoint } from '../../domain/webhook/manageEndpoints.ts'
import { redeliver } from '../../domain/webhook/redeliver.ts'
import { cancelReplay, startReplay } from '../../domain/webhook/replay.ts'
import { rotateSecret } from '../../domain/webhook/secrets.ts'
import { asProcessRole } from '../support/databaseRole.ts'
import { until } from '../support/until.ts'
import { createWebhookWorld, type WebhookWorld } from '../support/webhookWorld.ts'

let world: WebhookWorld
beforeEach(async () => {
  world = await createWebhookWorld()
})
afterEach(() => world.stop())

const delivered = () =>
  until(async () => (await world.deliveries()).every(({ status }) => status === 'delivered'))

test('default: the role of the api may do all that the api does with an endpoint', async () => {
  const { administrator, organizationId } = world
  const workerSql = connect(asProcessRole(world.databaseUrl, 'worker'), { applicationName: 'test' })
  await retainDays(workerSql, { events: 3, deliveries: 2, attempts: 1 })
  await workerSql.end()
  const { endpoint } = await world.endpoint(world.receiver.url)
  const place = { organizationId, endpointId: endpoint.id }
  await changeEndpoint(administrator, place, { description: 'mine', headers: [] })
  await rotateSecret(administrator, place)
  const eventId = await pingEndpoint(administrator, place)
  await sendTestEvent(administrator, place, 'smart_deposit.deposit.pending')
  await world.record('one', ['a'])
  await world.work()
  await world.receiver.until(3)
  await delivered()
  // Its delivery moves from its day to those that wait, and back.
  await redeliver(administrator, { ...place, eventId })
  await world.receiver.until(4)
  await delivered()
  await startReplay(administrator, place, { after: '0' })
  await world.receiver.until(5)
  await delivered()
  await cancelReplay(administrator, place)
  await deleteEndpoint(administrator, place)
  expect(await world.deliveries()).toEqual([])
})
