import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deleteEndpoint } from '../../domain/webhook/manageEndpoints.ts'
import { rotateSecret } from '../../domain/webhook/secrets.ts'
import { noteSecret } from '../support/handedOut.ts'
import { until } from '../support/until.ts'
import { isVerified } from '../support/webhookReceiver.ts'
import { createWebhookWorld, type WebhookWorld } from '../support/webhookWorld.ts'

let world: WebhookWorld
beforeEach(async () => {
  world = await createWebhookWorld()
})
afterEach(() => world.stop())

describe('rotateSecret', () => {
  test('default: both sign until the overlap is over, then the new one alone', async () => {
    const { endpoint, secret: old } = await world.endpoint(world.receiver.url)
    await world.work()
    const place = { organizationId: world.organizationId, endpointId: endpoint.id }
    const { secret, endpoint: rotated } = await rotateSecret(world.administrator, place, 3_600)
    noteSecret(secret)
    expect(rotated.previousSecretExpiresAt?.getTime()).toBeGreaterThan(Date.now() + 3_500_000)
    await world.record('deposit', ['a'])
    const [during] = await world.receiver.until(1)
    expect(during?.headers['webhook-signature']?.split(' ')).toHaveLength(2)
    expect([old, secret].map((one) => during && isVerified(during, one))).toEqual([true, true])
    await world.sql`
      update app.webhook_secret set expires_at = now() where expires_at is not null`
    await world.record('deposit', ['b'])
    const [, after] = await world.receiver.until(2)
    expect([old, secret].map((one) => after && isVerified(after, one))).toEqual([false, true])
  })

  test('behavior: without overlap, and twice within one, at most two sign', async () => {
    const { endpoint, secret: first } = await world.endpoint(world.receiver.url)
    await world.work()
    const place = { organizationId: world.organizationId, endpointId: endpoint.id }
    const { secret: second } = await rotateSecret(world.administrator, place, 60)
    const { secret: third } = await rotateSecret(world.administrator, place, 60)
    await world.record('deposit', ['a'])
    const [one] = await world.receiver.until(1)
    const all = [first, second, third]
    expect(all.map((secret) => one && isVerified(one, secret))).toEqual([false, true, true])
    const { secret: fourth } = await rotateSecret(world.administrator, place, 0)
    await world.record('deposit', ['b'])
    const [, two] = await world.receiver.until(2)
    expect([third, fourth].map((secret) => two && isVerified(two, secret))).toEqual([false, true])
  })

  test('error: an overlap that is none', async () => {
    const { endpoint } = await world.endpoint(world.receiver.url)
    const place = { organizationId: world.organizationId, endpointId: endpoint.id }
    for (const overlap of [-1, 0.5, 604_801, Number.NaN])
      await expect(rotateSecret(world.administrator, place, overlap)).rejects.toMatchObject({
        reason: 'INVALID_FIELD',
      })
  })
})

test('error: under another SECRETS_KEY nothing is sent, and nothing is lost', async () => {
  await world.endpoint(world.receiver.url)
  await world.work({ secretsKey: randomBytes(32) })
  await world.record('deposit', ['a'])
  await until(async () => (await world.deliveries())[0]?.attempts === 1)
  expect((await world.deliveries())[0]?.lastError).toContain('signing secret cannot be decrypted')
  await world.rest()
  await world.work()
  await world.pass(10)
  await world.receiver.until(1)
})

test('behavior: an endpoint can be deleted while its deliveries run', async () => {
  const { endpoint } = await world.endpoint(world.receiver.url)
  const place = { organizationId: world.organizationId, endpointId: endpoint.id }
  world.receiver.behave(async (response) => {
    await deleteEndpoint(world.administrator, place)
    response.writeHead(500).end()
  })
  await world.work()
  await world.record('deposit', ['a', 'b'])
  await world.receiver.until(1)
  await until(async () => (await world.deliveries()).length === 0)
  await world.record('deposit', ['c'])
  expect(await world.deliveries()).toEqual([])
})
