import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEPRECATIONS, type Deprecation } from '../../schema/deprecations.ts'
import { startTestApi, type TestApi } from '../support/api.ts'

/** An operation that is deprecated for these tests alone: no real one is. */
const OPERATION = 'Query.transitStops'
const list = DEPRECATIONS as Record<string, Deprecation>

let api: TestApi
beforeAll(async () => {
  list[OPERATION] = { since: '2026-01-01', until: '2027-01-01', instead: 'Nothing.' }
  api = await startTestApi()
})
afterAll(async () => {
  delete list[OPERATION]
  await api?.stop()
})

const told = ({ headers }: Response) => [
  headers.get('deprecation'),
  headers.get('sunset'),
  headers.get('link'),
]
const LINK = '</docs/deprecations>; rel="deprecation"; type="text/html"'
const NOTHING = [null, null, null]

function graphql(query: string): Promise<Response> {
  return fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
}

const ADDRESS = `0x${'11'.repeat(20)}`
const deposit = (selection: string) =>
  `{ deposit(vaultAddress: "${ADDRESS}", chainId: 1, depositAsset: "${ADDRESS}", depositAmount: "1",
    userAddress: "${ADDRESS}") ${selection} }`

test('default: each answer of a deprecated operation says so, a refusal too; others do not', async () => {
  const stops = await fetch(`${api.url}/v1/admin/transitStops`)
  expect([stops.status, ...told(stops)]).toEqual([
    401,
    '@1767225600',
    'Fri, 01 Jan 2027 00:00:00 GMT',
    LINK,
  ])
  for (const path of ['/v1/admin/organizations', '/v1/transit/routes', '/ready'])
    expect(told(await fetch(api.url + path))).toEqual(NOTHING)
})

test('default: so does an answer to a GraphQL document with a deprecated field, also in a fragment', async () => {
  const days = ['@1795564800', 'Thu, 25 Nov 2027 00:00:00 GMT', LINK]
  expect(told(await graphql(deposit('{ to }')))).toEqual(days)
  const fragment = 'fragment Old on PreviewedTransaction { transaction { to } data }'
  expect(told(await graphql(`${deposit('{ ...Old }')} ${fragment}`))).toEqual(days)
  expect(told(await graphql(deposit('{ transaction { to } }')))).toEqual(NOTHING)
})

test('behavior: of two, the one that ends first is told', async () => {
  const both = deposit('{ to }').replace(/^{/, '{ transitStops { nextPageToken }')
  expect(told(await graphql(both))).toEqual(['@1767225600', 'Fri, 01 Jan 2027 00:00:00 GMT', LINK])
})

test('behavior: the OpenAPI documents mark the operation, and no other', async () => {
  for (const path of ['/openapi.json', '/openapi-3.0.json']) {
    const response = await fetch(api.url + path)
    const { paths } = (await response.json()) as {
      paths: Record<string, Record<string, { deprecated?: boolean; 'x-sunset'?: string }>>
    }
    const marked = Object.entries(paths).flatMap(([name, operations]) =>
      Object.values(operations).flatMap((one) => (one.deprecated ? [[name, one['x-sunset']]] : [])),
    )
    expect(marked).toEqual([['/v1/admin/transitStops', '2027-01-01']])
  }
})

test('behavior: the page of deprecations is served', async () => {
  const page = await fetch(`${api.url}/docs/deprecations.md`)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Sunset')])
})
