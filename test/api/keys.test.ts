import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatKey, randomKeyParts } from '../../domain/access/keyFormat.ts'
import { createKey } from '../../domain/access/keys.ts'
import { createOrganization } from '../../domain/access/organizations.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { insertOrder, orderRow } from '../support/insertOrder.ts'

const row = orderRow()
let api: TestApi
let organizationId: string
beforeAll(async () => {
  api = await startTestApi()
  await insertOrder(api.context.sql, row)
  organizationId = (await createOrganization(api.administrator, 'Acme')).id
})
afterAll(() => api.stop())

const query = JSON.stringify({ query: '{ __typename }' })
const post = { method: 'POST', body: query, headers: { 'content-type': 'application/json' } }

/** The statuses of REST, GraphQL and the stream for this key. */
async function statuses(key: string) {
  const requests: [string, RequestInit][] = [
    [`/v1/transit/orders/${row.id}`, {}],
    ['/graphql', post],
    ['/graphql/stream', post],
  ]
  return Promise.all(
    requests.map(async ([path, init]) => {
      const headers = { ...init.headers, 'x-api-key': key }
      const response = await fetch(`${api.url}${path}`, { ...init, headers })
      await response.body?.cancel()
      return response.status
    }),
  )
}

test('default', async () => {
  const { key } = await createKey(api.administrator, { organizationId })
  expect(await statuses(key)).toEqual([200, 200, 200])
})

test('error: an unknown key', async () => {
  expect(await statuses(formatKey(randomKeyParts()))).toEqual([401, 401, 401])
})
