import { pino } from 'pino'
import { expect, test } from 'vitest'
import { formatKey, randomKeyParts } from '../../domain/access/keyFormat.ts'
import { startTestApi } from '../support/api.ts'

test('behavior: one line per answer, the cause of a 500 under the same id, and no key', async () => {
  const lines: string[] = []
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const api = await startTestApi({ logger })
  const key = formatKey(randomKeyParts())
  await fetch(`${api.url}/v1/transit/orders?apiKey=${key}`, { headers: { 'x-api-key': key } })
  await api.context.sql`alter table read.transit_order rename column id to misplaced`
  await fetch(`${api.url}/v1/transit/orders/0x${'11'.repeat(32)}`, {
    headers: { 'x-request-id': 'mine-2' },
  })
  await api.stop()

  const entries = lines.map((line) => JSON.parse(line))
  expect(entries.filter(({ msg }) => msg === 'request')).toMatchObject([
    { method: 'GET', path: '/v1/transit/orders', status: 400 },
    { method: 'GET', status: 500, requestId: 'mine-2' },
  ])
  expect(entries.find(({ msg }) => msg === 'unexpected failure')).toMatchObject({
    requestId: 'mine-2',
    err: { message: expect.stringContaining('column t.id') },
  })
  expect(lines.join()).not.toContain(key.split('_')[2])
})
