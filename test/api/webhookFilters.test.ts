import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../../domain/access/keys.ts'
import { createOrganization } from '../../domain/access/organizations.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { ask } from '../support/ask.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { noteSecret } from '../support/handedOut.ts'
import type { ErrorBody } from '../support/refusal.ts'
import { bookOfVaults } from '../support/vaultBook.ts'

/** Endpoints whose filter no event of a selected type can pass. */

type Endpoint = { id: string; filter: string | null; unmatchedEventTypes: string[] }
type Body = Pick<ErrorBody, 'error'> & {
  endpoint: Endpoint
  webhookEndpoints: Endpoint[]
  secret?: string
}

const VAULT = `0x${'7a'.repeat(20)}` as const
const NO_VAULT = `0x${'7b'.repeat(20)}`
const CODE = `0x${'cd'.repeat(32)}`
const REQUESTS = ['withdrawal.request.*']

let api: TestApi
/** Its organization has no distributor code. */
let key: string
beforeAll(async () => {
  api = await startTestApi({
    addressBook: bookOfVaults([{ chainId: 1, vault: VAULT, base: 'six decimals' }]),
  })
  const { id: organizationId } = await createOrganization(api.administrator, 'Codeless')
  key = (await createKey(api.administrator, { organizationId, permissions: ['webhooks'] })).key
})
afterAll(() => api?.stop())

async function call(method: string, path: string, body?: object) {
  const url = `${api.url}/v2/webhooks/endpoints${path}`
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const init = body ? { body: JSON.stringify(body) } : {}
  const response = await ask(url, { method, headers, ...init })
  const answer = (await response.json()) as Body
  expect(undescribed(url, response.status, answer, method.toLowerCase())).toEqual([])
  if (answer.secret) noteSecret(answer.secret)
  return { status: response.status, body: answer }
}

const create = (eventTypes: string[], filter?: string | null, url = 'http://127.0.0.1:9/') =>
  call('POST', '', { url, eventTypes, ...(filter === undefined ? {} : { filter }) })

function refusalOf({ status, body }: Awaited<ReturnType<typeof call>>) {
  const { details } = body.error
  return [status, details.at(-1)?.reason, ...details.flatMap((one) => one.fieldViolations)]
}
const refused = (words: string) => [
  400,
  'INVALID_FILTER',
  { field: 'filter', description: expect.stringContaining(words) },
]

describe('a filter that no event of a selected type can pass', () => {
  test.each<[types: string[], filter: string | null | undefined, words: string]>([
    [REQUESTS, undefined, 'set "" for all events'],
    [REQUESTS, null, 'withdrawal.request.*'],
    [REQUESTS, `distributorCode = ${CODE}`, 'withdrawal requests userAddress and vaultAddress'],
    [['smart_deposit.*', 'withdrawal.request.created'], null, 'withdrawal.request.created'],
    [['transit.*'], null, 'and it has none'],
    [['transit.*', '*'], `vaultAddress = ${VAULT}`, 'orders have distributorCode'],
    [REQUESTS, `vaultAddress = ${NO_VAULT}`, 'one of /v2/earn/vaults'],
  ])('error: %j with %j is refused when it is registered', async (types, filter, words) => {
    expect(refusalOf(await create(types, filter))).toEqual(refused(words))
  })

  test.each<[types: string[], filter: string | null | undefined]>([
    [REQUESTS, ''],
    [REQUESTS, `vaultAddress = ${VAULT.toUpperCase().replace('X', 'x')}`],
    [['*'], null],
    [['ping', 'smart_deposit.*'], `distributorCode = ${CODE} AND vaultAddress = ${VAULT}`],
    [['transit.*', ...REQUESTS], `distributorCode = ${CODE} OR vaultAddress = ${VAULT}`],
  ])('default: %j with %j is taken', async (types, filter) => {
    const { status, body } = await create(types, filter)
    expect([status, body.endpoint?.unmatchedEventTypes]).toEqual([200, []])
  })

  test('error: with every other fault in one answer', async () => {
    const { body } = await create(REQUESTS, null, 'ftp://x')
    const fields = body.error.details.flatMap(({ fieldViolations }) => fieldViolations)
    expect(fields.map(({ field }) => field).toSorted()).toEqual(['filter', 'url'])
  })

  test('error: a change is judged together with what stays', async () => {
    const { body } = await create(REQUESTS, `vaultAddress = ${VAULT}`)
    const path = `/${body.endpoint.id}`
    for (const change of [{ filter: null }, { eventTypes: ['transit.*'] }])
      expect((await call('PATCH', path, change)).status).toBe(400)
    const both = { eventTypes: ['transit.*'], filter: `distributorCode = ${CODE}` }
    expect((await call('PATCH', path, both)).status).toBe(200)
  })

  test('error: the same over GraphQL', async () => {
    const query = `mutation ($id: String!, $filter: String) {
      createWebhookEndpoint(url: "http://127.0.0.1:9/", eventTypes: ["withdrawal.*"]) { secret }
      updateWebhookEndpoint(endpointId: $id, filter: $filter) { id }
    }`
    const { body } = await create(REQUESTS, '')
    const response = await ask(`${api.url}/graphql`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { id: body.endpoint.id, filter: null } }),
    })
    const { errors } = (await response.json()) as { errors: { extensions: ErrorBody['error'] }[] }
    const reasons = errors.map(({ extensions }) => extensions.details.at(-1)?.reason)
    expect(reasons).toEqual(Array(2).fill('INVALID_FILTER'))
  })

  test('behavior: an endpoint that came to match nothing goes on, with a warning, and can be changed', async () => {
    const { body } = await create(['ping', ...REQUESTS], '')
    const { id } = body.endpoint
    await api.context.sql`update app.webhook_endpoint set filter = null where id = ${id}`
    const { body: listed } = await call('GET', '')
    expect(listed.webhookEndpoints.find((endpoint) => endpoint.id === id)).toMatchObject({
      filter: null,
      unmatchedEventTypes: REQUESTS,
    })
    const disabled = await call('PATCH', `/${id}`, { status: 'DISABLED', description: 'old' })
    expect(disabled.body.endpoint.unmatchedEventTypes).toEqual(REQUESTS)
    const mended = await call('PATCH', `/${id}`, { filter: '' })
    expect(mended.body.endpoint.unmatchedEventTypes).toEqual([])
  })
})
