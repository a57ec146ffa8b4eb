import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createKey } from '../../domain/access/keys.ts'
import { createOrganization } from '../../domain/access/organizations.ts'
import type { TestApi } from '../support/api.ts'
import { startFreshApi } from '../support/freshApi.ts'
import { insertOrders, orderRow } from '../support/insertOrder.ts'

/** Clients that leave before what they asked for begins: nothing is held for them. */

const row = orderRow()
const ORDERS = Array.from({ length: 150 }, (_, i) => ({
  ...row,
  id: `0x${String(i).padStart(64, '0')}` as const,
}))
const QUERY = encodeURIComponent(`subscription { transitOrder(id: "${row.id}") { status } }`)
const most = 1_000
const CAPS = { connectionsPerAddress: most, connectionsPerKey: most, heldPerAddress: most }

async function newKey({ administrator }: TestApi): Promise<string> {
  const { id: organizationId } = await createOrganization(administrator, 'Acme')
  return (await createKey(administrator, { organizationId })).key
}

/** The status of a stream, which ends with the test. */
async function streamStatus({ url }: TestApi, key: string): Promise<number> {
  const gone = new AbortController()
  onTestFinished(() => gone.abort())
  const headers = { 'x-api-key': key, 'apollo-require-preflight': '1' }
  const { status } = await fetch(`${url}/graphql/stream?query=${QUERY}`, {
    headers,
    signal: gone.signal,
  })
  return status
}

/** How many statements wait for the table of keys. */
async function waitingForKeys({ context }: TestApi): Promise<number> {
  const waiting = await context.sql`
    select 1 from pg_locks where relation = 'app.api_key'::regclass and not granted
      and database = (select oid from pg_database where datname = current_database())`
  return waiting.length
}

/** Sends a request, and ends its connection while its key is looked up. */
async function leaveEarly(api: TestApi, request: string) {
  const accepted = once(api.server, 'connection')
  const socket = connect(api.port, '127.0.0.1')
  socket.on('error', () => {})
  const [atServer] = (await accepted) as [Socket]
  await api.context.sql.begin(async (transaction) => {
    await transaction`lock table app.api_key in access exclusive mode`
    socket.write(request)
    await expect.poll(() => waitingForKeys(api)).toBe(1)
    socket.destroy()
    await once(atServer, 'close')
  })
}

test.each([
  ['a stream', `/graphql/stream?query=${QUERY}`, 'apollo-require-preflight: 1'],
  [
    'a table of several pages',
    `/v1/transit/orders?userAddress=${row.receiver}`,
    'accept: text/csv',
  ],
  ['a long poll', `/v1/transit/orders/${ORDERS[0]?.id}?waitSeconds=25`, 'if-none-match: *'],
])('behavior: who leaves before %s begins keeps no place of its key', async (_, path, header) => {
  const api = await startFreshApi({ caps: { ...CAPS, heldPerKey: 1 } })
  await insertOrders(api.context.sql, ORDERS)
  const key = await newKey(api)
  await leaveEarly(api, `GET ${path} HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\n${header}\r\n\r\n`)
  // Until what it asked for would be held.
  await sleep(500)
  expect(await streamStatus(api, key)).toBe(200)
})
