import { pino } from 'pino'
import { expect, test } from 'vitest'
import { describeFailure } from '../../api/http/logFailure.ts'
import { formatKey, randomKeyParts } from '../../domain/access/keyFormat.ts'
import { createKey } from '../../domain/access/keys.ts'
import { createOrganization } from '../../domain/access/organizations.ts'
import { startTestApi } from '../support/api.ts'

test('behavior: one line per answer, the cause of a 500 under the same id, and no key', async () => {
  const lines: string[] = []
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const api = await startTestApi({ logger })
  const key = formatKey(randomKeyParts())
  await fetch(`${api.url}/v1/transit/orders?apiKey=${key}`, { headers: { 'x-api-key': key } })
  await api.context.sql`alter table read.transit_side rename column order_id to misplaced`
  await fetch(`${api.url}/v1/transit/orders/0x${'11'.repeat(32)}`, {
    headers: { 'x-request-id': 'mine-2' },
  })
  await api.stop()

  const entries = lines.map((line) => JSON.parse(line))
  expect(entries.filter(({ msg }) => msg === 'request')).toMatchObject([
    { method: 'GET', route: '/v1/transit/orders', status: 400 },
    { method: 'GET', status: 500, requestId: 'mine-2' },
  ])
  expect(entries.find(({ msg }) => msg === 'unexpected failure')).toMatchObject({
    requestId: 'mine-2',
    err: { message: expect.stringContaining('order_id') },
  })
  expect(lines.join()).not.toContain(key.split('_')[2])
})

test('behavior: the caller is logged by organization and public id of the key', async () => {
  const lines: string[] = []
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const api = await startTestApi({ logger })
  const { id: organizationId } = await createOrganization(api.administrator, 'Acme')
  const { key, publicId } = await createKey(api.administrator, { organizationId })
  await fetch(`${api.url}/v1/transit/orders`, { headers: { 'x-api-key': key } })
  const encoded = key.replace('c', '%63')
  for (const hidden of [key, encoded]) {
    await fetch(`${api.url}/${hidden}`)
    await fetch(`${api.url}/v1/transit/orders/${hidden}`)
  }
  await api.stop()
  const entries = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
  expect(entries).toMatchObject([
    { route: '/v1/transit/orders', keyId: publicId, organizationId },
    { route: null, status: 404 },
    { route: '/v1/transit/orders/:orderId', status: 400 },
    { route: null, status: 404 },
    { route: '/v1/transit/orders/:orderId', status: 400 },
  ])
  expect(lines.join()).not.toContain(key.split('_')[2])
})

test('behavior: only the message of a failure is logged', () => {
  const signature = `0x${'ab'.repeat(65)}`
  const cause = Object.assign(
    new Error(`HTTP failed. URL: https://me:pw@node.example/v2/k3y?x=1`),
    {
      url: 'https://node.example/v2/k3y',
      metaMessages: ['Request body: {"params":["k3y"]}'],
    },
  )
  const failure = Object.assign(new Error(`bad value ${signature} of causeway_12_34`, { cause }), {
    code: '22P02',
    detail: 'Key (hash)=(s3cret)',
    parameters: ['s3cret'],
    query: 'select s3cret',
  })
  const text = JSON.stringify(describeFailure(failure))
  expect(text).toContain('22P02')
  expect(text).toContain('https://node.example')
  for (const secret of ['k3y', 'pw', 's3cret', 'abababab', 'causeway_'])
    expect(text).not.toContain(secret)
})
