import { setTimeout as sleep } from 'node:timers/promises'
import { type ExampleCall, type ExampleTarget, writeExample } from './writeExample.ts'

/** The example secret of the Standard Webhooks specification, which nobody uses. */
const SHOWN_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

/** The worker attempts a delivery at once. */
const ATTEMPTED_MS = 1_000

/** Registers an endpoint, calls every route of it, and writes the answers to docs/examples. */
export async function writeWebhookExamples(target: ExampleTarget): Promise<void> {
  const ask = (call: ExampleCall) => writeExample(target, { ...call, shown: withoutSecret })
  const post = (name: string, path: string, body: object = {}) =>
    ask({ name, method: 'POST', path, body })
  const endpoints = '/v2/webhooks/endpoints'
  const created = (await post('createWebhookEndpoint', endpoints, {
    url: 'http://127.0.0.1:4100/',
    eventTypes: ['smart_deposit.*'],
  })) as { endpoint: { id: string } }
  const path = `${endpoints}/${created.endpoint.id}`
  const pinged = (await post('pingWebhookEndpoint', `${path}/ping`)) as { eventId: string }
  const type = 'smart_deposit.deposit.finalized'
  await post('testWebhookEndpoint', `${path}/test`, { type })
  await ask({ name: 'listWebhookEndpoints', path: `${endpoints}?pageSize=2` })
  await ask({ name: 'getWebhookEndpoint', path })
  await ask({ name: 'listWebhookDeliveries', path: `${path}/deliveries?pageSize=2` })
  await sleep(ATTEMPTED_MS)
  const delivery = `${path}/deliveries/${pinged.eventId}`
  await ask({ name: 'listWebhookAttempts', path: `${delivery}/attempts` })
  await post('redeliverWebhook', `${delivery}/redeliver`)
  await ask({ name: 'getWebhookFigures', path: `${path}/figures` })
  await post('startWebhookReplay', `${path}/replay`, { after: '0' })
  await ask({ name: 'getWebhookReplay', path: `${path}/replay` })
  await ask({ name: 'cancelWebhookReplay', method: 'DELETE', path: `${path}/replay` })
  await ask({ name: 'listEvents', path: '/v2/events?after=0&pageSize=2' })
  await post('rotateWebhookSecret', `${path}/rotate-secret`, { overlapSeconds: 3600 })
  const changes = { status: 'DISABLED' }
  await ask({ name: 'updateWebhookEndpoint', method: 'PATCH', path, body: changes })
  await ask({ name: 'deleteWebhookEndpoint', method: 'DELETE', path })
}

function withoutSecret(answer: object): object {
  return 'secret' in answer ? { ...answer, secret: SHOWN_SECRET } : answer
}
