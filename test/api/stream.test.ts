import { createClient } from 'graphql-sse'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKey, revokeKey } from '../../domain/access/keys.ts'
import { createOrganization } from '../../domain/access/organizations.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { insertOrder, orderRow, updateDestinations } from '../support/insertOrder.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())

type State = { transitOrder: { status: string; remainingAmountDue: string } | null }

let made = 0
function newRow() {
  made += 1
  return orderRow({ id: `0x${String(made).padStart(64, '0')}` })
}

function watch(id: string, url = api.url, headers: Record<string, string> = {}) {
  const client = createClient({ url: `${url}/graphql/stream`, retryAttempts: 0, headers })
  const query = `subscription { transitOrder(id: "${id}") { status remainingAmountDue } }`
  return client.iterate<State>({ query })
}

async function nextStatus(states: AsyncIterableIterator<{ data?: State | null }>) {
  const { value, done } = await states.next()
  return done ? 'ended' : value.data?.transitOrder?.status
}

function ask(request: unknown) {
  return fetch(`${api.url}/graphql/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify(request),
  })
}

test('default', async () => {
  const row = newRow()
  await insertOrder(api.context.sql, row)
  const states = watch(row.id)
  expect(await nextStatus(states)).toBe('PROCESSING')
  await updateDestinations(api.context.sql, [row.id], { status: 'PROCESSED' })
  expect(await nextStatus(states)).toBe('PROCESSED')
  await states.return?.()
})

test('behavior: an unknown order is awaited', async () => {
  const row = newRow()
  const states = watch(row.id)
  const first = nextStatus(states)
  await new Promise((resolve) => setTimeout(resolve, 300))
  await insertOrder(api.context.sql, row)
  expect(await first).toBe('PROCESSING')
  await states.return?.()
})

test.each([
  ['PROCESSED', { status: 'PROCESSED' }],
  ['REMOVED', { status: 'REMOVED' }],
] as const)(
  'behavior: completes after the state of an order that is %s and finalized',
  async (status, ending) => {
    const row = { ...newRow(), finalized: true }
    await insertOrder(api.context.sql, row)
    const states = watch(row.id)
    expect(await nextStatus(states)).toBe('PROCESSING')
    await updateDestinations(api.context.sql, [row.id], ending)
    expect(await nextStatus(states)).toBe(status)
    expect(await nextStatus(states)).toBe('ended')
    const late = watch(row.id)
    expect(await nextStatus(late)).toBe(status)
    expect(await nextStatus(late)).toBe('ended')
  },
)

test('behavior: goes on while a reorganisation could take the end back', async () => {
  const row = newRow()
  await insertOrder(api.context.sql, row)
  await updateDestinations(api.context.sql, [row.id], { status: 'PROCESSED' })
  const states = watch(row.id)
  expect(await nextStatus(states)).toBe('PROCESSED')
  const next = nextStatus(states)
  await new Promise((resolve) => setTimeout(resolve, 300))
  await updateDestinations(api.context.sql, [row.id], { status: 'PROCESSING' })
  expect(await next).toBe('PROCESSING')
  await states.return?.()
})

test('behavior: a change of the time alone is not sent', async () => {
  const row = newRow()
  await insertOrder(api.context.sql, row)
  const states = watch(row.id)
  await nextStatus(states)
  const second = nextStatus(states)
  await updateDestinations(api.context.sql, [row.id], { last_block_timestamp: '1700000010' })
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  await updateDestinations(api.context.sql, [row.id], { status: 'REMOVED' })
  expect(await second).toBe('REMOVED')
  await states.return?.()
})

test('behavior: draining ends the stream', async () => {
  const own = await startTestApi()
  const row = newRow()
  await insertOrder(own.context.sql, row)
  const states = watch(row.id, own.url)
  await nextStatus(states)
  const end = nextStatus(states).catch(() => 'ended')
  own.lifecycle.startDraining()
  expect(await end).toBe('ended')
  await own.stop()
})

test('behavior: a stream that begins while draining gets the state and ends', async () => {
  const own = await startTestApi()
  const row = newRow()
  await insertOrder(own.context.sql, row)
  own.lifecycle.startDraining()
  const states = watch(row.id, own.url)
  expect(await nextStatus(states)).toBe('PROCESSING')
  expect(await nextStatus(states).catch(() => 'ended')).toBe('ended')
  await own.stop()
})

test('error: a stream ends within 5 s with its key', async () => {
  const { administrator } = api
  const { id: organizationId } = await createOrganization(administrator, 'Streams')
  const { key, publicId } = await createKey(administrator, { organizationId })
  const row = newRow()
  await insertOrder(api.context.sql, row)
  const withKey = watch(row.id, api.url, { 'x-api-key': key })
  const without = watch(row.id)
  expect(await nextStatus(withKey)).toBe('PROCESSING')
  expect(await nextStatus(without)).toBe('PROCESSING')
  const next = withKey.next()
  await revokeKey(administrator, publicId)
  const revokedAt = performance.now()
  const { value } = await next
  expect(value?.errors?.[0]?.extensions).toMatchObject({ code: 401, status: 'UNAUTHENTICATED' })
  expect(performance.now() - revokedAt).toBeLessThan(5_000)
  expect((await withKey.next().catch(() => ({ done: true }))).done).toBe(true)

  const goesOn = nextStatus(without)
  await updateDestinations(api.context.sql, [row.id], { status: 'PROCESSED' })
  expect(await goesOn).toBe('PROCESSED')
  await without.return?.()
})

test('behavior: a query is answered too, and the stream ends', async () => {
  const response = await ask({ query: '{ __typename }' })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  expect(response.headers.get('x-request-id')).toBeTruthy()
  expect(await response.text()).toContain(
    'data: {"data":{"__typename":"Query"},"extensions":{"cost":{"requested":1,"maximum":10000}}}',
  )
})

test('behavior: a GET is answered with the header that no page can set without asking', async () => {
  const path = `${api.url}/graphql/stream?query=${encodeURIComponent('{ __typename }')}`
  const response = await fetch(path, { headers: { 'apollo-require-preflight': '1' } })
  expect(await response.text()).toContain('{"data":{"__typename":"Query"}')
})

test('error: a malformed id is reported in the stream', async () => {
  const request = {
    query: 'subscription ($id: Hash!) { transitOrder(id: $id) { id } }',
    variables: { id: '0x12' },
  }
  const text = await (await ask(request)).text()
  expect(text).toContain('"reason":"INVALID_FIELD"')
  expect(text).toContain('event: complete')
})

test('error: a database failure is reported in the stream, masked', async () => {
  const own = await startTestApi()
  await own.context.sql`alter table read.transit_side rename column order_id to misplaced`
  const states = watch(newRow().id, own.url)
  const { value } = await states.next()
  expect(JSON.stringify(value)).toContain('"reason":"UNEXPECTED"')
  expect(JSON.stringify(value)).not.toContain('does not exist')
  await own.stop()
})
