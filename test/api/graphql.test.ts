import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fragmentOf } from '../../api/rest/fragmentOf.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { keyOf } from '../support/ask.ts'
import { insertOrder, orderRow } from '../support/insertOrder.ts'

const row = orderRow()
const UNKNOWN = `0x${'99'.repeat(32)}`
let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
  await insertOrder(api.context.sql, row)
})
afterAll(() => api.stop())

type GraphqlError = {
  message: string
  path?: string[]
  extensions: {
    code: number
    status: string
    details: { reason?: string; fieldViolations: { field: string }[] }[]
    requestId: string
  }
}
type Body = { data?: Record<string, unknown>; errors?: GraphqlError[] }

async function answerOf(response: Response) {
  const body = (await response.json()) as Body
  return { status: response.status, headers: response.headers, ...body }
}

async function post(request: unknown, headers: Record<string, string> = {}) {
  return answerOf(
    await fetch(`${api.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(request),
    }),
  )
}

function reasonsOf(errors: GraphqlError[] | undefined) {
  return errors?.map(({ extensions }) => extensions.details.at(-1)?.reason)
}

/** REST leaves out the amounts that a step lacks, GraphQL has them as null. */
function withoutNulls(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data), (_, value) => (value === null ? undefined : value))
}

describe('POST /graphql', () => {
  const query = `query ($id: Hash!) { order: transitOrder(id: $id) { ...TransitOrder } } ${fragmentOf('TransitOrder')}`

  test('default', async () => {
    const { status, headers, data, errors } = await post({ query, variables: { id: row.id } })
    expect([status, errors]).toEqual([200, undefined])
    const rest = await fetch(`${api.url}/v1/transit/orders/${row.id}`)
    expect(withoutNulls(data)).toEqual(withoutNulls(await rest.json()))
    expect(headers.get('x-indexed-blocks')).toBe('1=1000,4663=99')
  })

  test('behavior: an error has the same contents as in REST', async () => {
    const rest = await fetch(`${api.url}/v1/transit/orders/${UNKNOWN}`)
    const { error } = (await rest.json()) as { error: Record<string, unknown> }
    const { status, headers, data, errors } = await post({ query, variables: { id: UNKNOWN } })
    expect([status, data]).toEqual([200, { order: null }])
    const { code, status: errorStatus, details, message } = error
    expect(errors).toEqual([
      {
        message,
        path: ['order'],
        locations: expect.any(Array),
        extensions: {
          code,
          status: errorStatus,
          details,
          requestId: headers.get('x-request-id'),
        },
      },
    ])
  })

  test('behavior: one failing field does not hide the others', async () => {
    const { data, errors } = await post({
      query: `{ good: transitOrder(id: "${row.id}") { status } bad: transitOrder(id: "${UNKNOWN}") { status } }`,
    })
    expect(data).toEqual({ good: { status: 'PROCESSING' }, bad: null })
    expect(errors?.map(({ path }) => path)).toEqual([['bad']])
  })

  test('behavior: _meta shows the indexed block of each chain', async () => {
    const { data } = await post({
      query:
        '{ _meta { chains { chainId block { number timestamp } finalized lagSeconds isSynced } } }',
    })
    expect(data).toMatchObject({
      _meta: {
        chains: [
          { chainId: 1, block: { number: 1000, timestamp: 1_700_000_000 }, finalized: 935 },
          { chainId: 4663, block: { number: 99 }, finalized: 34, lagSeconds: null },
        ],
      },
    })
  })

  test('behavior: introspection is on', async () => {
    const { data } = await post({ query: '{ __schema { queryType { name } } }' })
    expect(data).toEqual({ __schema: { queryType: { name: 'Query' } } })
  })

  test('behavior: persisted queries work over GET', async () => {
    const text = `{ transitOrder(id: "${row.id}") { id } }`
    const sha256Hash = createHash('sha256').update(text).digest('hex')
    const extensions = { persistedQuery: { version: 1, sha256Hash } }
    const search = new URLSearchParams({ extensions: JSON.stringify(extensions) })
    const get = async () =>
      answerOf(
        await fetch(`${api.url}/graphql?${search}`, {
          headers: { 'apollo-require-preflight': '1' },
        }),
      )
    expect((await get()).errors?.[0]?.message).toBe('PersistedQueryNotFound')
    await post({ query: text, extensions })
    expect((await get()).data).toEqual({ transitOrder: { id: row.id } })
  })

  test('error: all bad variables are named at once', async () => {
    const { status, errors } = await post({
      query:
        'query ($id: Hash!, $user: Address) { transitOrder(id: $id) { id } transitOrders(userAddress: $user) { nextPageToken } }',
      variables: { id: '0x12', user: 'nobody' },
    })
    expect(status).toBe(400)
    expect(reasonsOf(errors)).toEqual(['INVALID_FIELD'])
    expect(errors?.[0]?.extensions.details[0]?.fieldViolations.map(({ field }) => field)).toEqual([
      'id',
      'user',
    ])
  })

  describe('a variable that does not fit', () => {
    const zero = `0x${'0'.repeat(40)}`
    const fieldsOf = (errors: GraphqlError[] | undefined) =>
      errors?.[0]?.extensions.details[0]?.fieldViolations.map(({ field }) => field).toSorted()

    test('error: is named with what REST names beside it', async () => {
      const given = { userAddress: zero, offerAmount: 'x', integratorFee: '1', permitDeadline: 'x' }
      const rest = await fetch(
        `${api.url}/v1/transit/orders/quote?${new URLSearchParams({ ...given, offerAsset: row.offer_asset, wantAsset: row.want_asset, sourceChainId: '1', destinationChainId: '1' })}`,
      )
      const { error } = (await rest.json()) as { error: GraphqlError['extensions'] }
      const { errors } = await post({
        query: `query ($user: PayableAddress!, $offerAmount: Amount!, $integratorFee: Amount, $permitDeadline: UnixTime) {
          transitOrderQuote(userAddress: $user, offerAmount: $offerAmount, offerAsset: "${row.offer_asset}"
            wantAsset: "${row.want_asset}", sourceChainId: 1, destinationChainId: 1
            integratorFee: $integratorFee, permitDeadline: $permitDeadline) { amountOut } }`,
        variables: { ...given, user: zero },
      })
      const fields = ['integratorFeeReceiver', 'offerAmount', 'permitDeadline', 'permitSignature']
      expect(fieldsOf(errors)).toEqual([...fields, 'userAddress'])
      expect(error.details[0]?.fieldViolations.map(({ field }) => field).toSorted()).toEqual(
        fieldsOf(errors),
      )
    })

    test('behavior: a caller without the permission learns of the variable alone', async () => {
      const query = `query ($amount: Amount!) { deposit(chainId: 1, vaultAddress: "${zero}"
        depositAsset: "${zero}", depositAmount: $amount, userAddress: "${zero}") { to } }`
      expect(fieldsOf((await post({ query, variables: { amount: 'x' } })).errors)).toEqual([
        'amount',
      ])
      const headers = { 'x-api-key': keyOf(api.url) ?? '' }
      const withKey = await post({ query, variables: { amount: 'x' } }, headers)
      expect(fieldsOf(withKey.errors)).toEqual(['amount', 'userAddress'])
    })
  })

  test('error: a list refuses what REST refuses, all at once', async () => {
    const rest = await fetch(`${api.url}/v1/transit/orders?pageSize=0&filter=%28&pageToken=x`)
    const { error } = (await rest.json()) as { error: Record<string, unknown> }
    const { errors } = await post({
      query: '{ transitOrders(pageSize: 0, filter: "(", pageToken: "x") { nextPageToken } }',
    })
    const fields = errors?.[0]?.extensions.details[0]?.fieldViolations.map(({ field }) => field)
    expect(fields).toEqual(['filter', 'pageSize', 'pageToken'])
    expect(rest.status).toBe(errors?.[0]?.extensions.code)
    expect(new Set(fields)).toEqual(
      new Set(
        (error.details as GraphqlError['extensions']['details'])[0]?.fieldViolations.map(
          ({ field }) => field,
        ),
      ),
    )
  })

  test.each<[string, unknown, string]>([
    ['no GraphQL', { query: '{' }, 'INVALID_GRAPHQL'],
    ['an unknown field', { query: '{ nothing }' }, 'INVALID_GRAPHQL'],
    ['no query', {}, 'INVALID_GRAPHQL'],
    ['a query that is no text', { query: 5 }, 'INVALID_GRAPHQL'],
    [
      'variables that are no object',
      { query: '{ __typename }', variables: [1] },
      'INVALID_GRAPHQL',
    ],
    [
      'an unknown operation',
      { query: 'query a { __typename }', operationName: 'b' },
      'INVALID_GRAPHQL',
    ],
    ['a batch', [{ query: '{ __typename }' }], 'INVALID_GRAPHQL'],
    [
      'too many aliases',
      { query: `{ ${Array.from({ length: 31 }, (_, n) => `a${n}: __typename`).join(' ')} }` },
      'INVALID_GRAPHQL',
    ],
    ['too many tokens', { query: `{ ${'__typename '.repeat(2_001)} }` }, 'INVALID_GRAPHQL'],
    [
      'a subscription',
      { query: `subscription { transitOrder(id: "${row.id}") { id } }` },
      'SUBSCRIPTION_NEEDS_STREAM',
    ],
  ])('error: %s', async (_, request, reason) => {
    const { status, headers, data, errors } = await post(request)
    expect([status, data]).toEqual([400, undefined])
    expect(reasonsOf(errors)).toEqual([reason])
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 400,
      status: 'INVALID_ARGUMENT',
      requestId: headers.get('x-request-id'),
    })
  })

  test.each(['/graphql', '/graphql/stream'])(
    'error: half a character in the variables of GET %s',
    async (path) => {
      const query = 'query ($text: String) { transitRoutes(filter: $text) { nextPageToken } }'
      const search = new URLSearchParams({ query, variables: '{"text":"a\\ud800"}' })
      const answer = await fetch(`${api.url}${path}?${search}`, {
        headers: { 'apollo-require-preflight': '1' },
      })
      const text = await answer.text()
      expect(text).toContain('INVALID_FIELD')
      expect(text).toContain('"field":"text","description":"expected text without lone surrogates"')
    },
  )

  test('error: a GET that a browser could be tricked into', async () => {
    const { status, errors } = await answerOf(await fetch(`${api.url}/graphql?query={__typename}`))
    expect([status, reasonsOf(errors)]).toEqual([400, ['INVALID_GRAPHQL']])
  })

  test('error: a failure before GraphQL answers in both forms', async () => {
    const { status, errors, ...body } = await post(
      { query: '{ __typename }' },
      { 'x-api-key': 'x' },
    )
    expect(status).toBe(401)
    expect(reasonsOf(errors)).toEqual(['UNAUTHENTICATED'])
    expect(body).toMatchObject({ error: { code: 401, status: 'UNAUTHENTICATED' } })
  })

  test('error: the unexpected is masked', async () => {
    const own = await startTestApi()
    await own.context.sql`alter table read.transit_side rename column order_id to misplaced`
    const response = await fetch(`${own.url}/v1/transit/orders/${row.id}`)
    const text = await response.text()
    expect(response.status).toBe(500)
    expect(text).toContain('"UNEXPECTED"')
    expect(text).not.toMatch(/column|does not exist|Postgres/)
    await own.stop()
  })
})
