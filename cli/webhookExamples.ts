import { writeFile } from 'node:fs/promises'
import type { RunFile } from '../processes/start/runFile.ts'

type Target = Pick<RunFile, 'apiUrl' | 'apiKey'> & { folder: string }
type Call = { method: string; path: string; body?: object }

const HEADERS = ['cache-control']
/** That of the specification of Standard Webhooks: nobody's. */
const SHOWN_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

/** Registers an endpoint, does all there is to do with it, and writes what is answered to docs/examples. */
export async function writeWebhookExamples(target: Target): Promise<void> {
  const ask = (name: string, call: Call) => writeExample(target, name, call)
  const endpoints = '/v2/webhooks/endpoints'
  const created = await ask('createWebhookEndpoint', {
    ...{ method: 'POST', path: endpoints },
    body: { url: 'http://127.0.0.1:4100/', eventTypes: ['smart_deposit.*'] },
  })
  const path = `${endpoints}/${created.endpoint.id}`
  const pinged = await ask('pingWebhookEndpoint', {
    ...{ method: 'POST', path: `${path}/ping`, body: {} },
  })
  await ask('listWebhookEndpoints', { method: 'GET', path: `${endpoints}?pageSize=2` })
  await ask('getWebhookEndpoint', { method: 'GET', path })
  await ask('listWebhookDeliveries', { method: 'GET', path: `${path}/deliveries?pageSize=2` })
  await ask('redeliverWebhook', {
    ...{ method: 'POST', path: `${path}/deliveries/${pinged.eventId}/redeliver`, body: {} },
  })
  await ask('listEvents', { method: 'GET', path: '/v2/events?after=0&pageSize=2' })
  await ask('rotateWebhookSecret', {
    ...{ method: 'POST', path: `${path}/rotate-secret`, body: { overlapSeconds: 3600 } },
  })
  await ask('updateWebhookEndpoint', {
    ...{ method: 'PATCH', path, body: { status: 'DISABLED' } },
  })
  await ask('deleteWebhookEndpoint', { method: 'DELETE', path })
}

/** What later calls take of an answer. */
type Answered = { endpoint: { id: string }; eventId: string; secret?: string }

/** Returns what was answered. */
async function writeExample(
  { apiUrl, apiKey, folder }: Target,
  name: string,
  { method, path, body }: Call,
) {
  const response = await fetch(apiUrl + path, {
    method,
    headers: {
      ...{ 'x-request-id': 'example', 'x-api-key': apiKey },
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`)
  const headers = HEADERS.map((header) => [header, response.headers.get(header)])
  const answered = (await response.json()) as Answered
  const example = {
    request: `${method} ${path}`,
    ...(body && { requestBody: body }),
    status: response.status,
    headers: Object.fromEntries(headers),
    body: 'secret' in answered ? { ...answered, secret: SHOWN_SECRET } : answered,
  }
  await writeFile(`${folder}${name}.json`, `${JSON.stringify(example, null, 2)}\n`)
  process.stdout.write(`${name}\n`)
  return answered
}
