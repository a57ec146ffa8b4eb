import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { REASONS, type Reason } from '../../domain/error/reason.ts'
import { createCausewayClient } from '../../sdk/src/createCausewayClient.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { ask as askWithKey } from '../support/ask.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { rawRequest } from '../support/rawRequest.ts'
import { setHeadTime, setReady } from '../support/testIndex.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())

const USER = `0x${'c3'.repeat(20)}`
const ID = `0x${'99'.repeat(32)}`
const ORDER = '/v1/transit/orders'
const json = { 'content-type': 'application/json' }
const post = (body: string, headers: Record<string, string> = json) => ({
  method: 'POST',
  body,
  headers,
})

type Detail = {
  '@type': string
  fieldViolations: { field: string; description: string }[]
  reason?: Reason
}
type Envelope = { error: { code: number; status: string; message: string; details: Detail[] } }

function reasonOf({ error }: Envelope): Reason | undefined {
  return error.details.find(({ reason }) => reason)?.reason
}

function fieldsOf({ error }: Envelope): string[] {
  return error.details.flatMap(({ fieldViolations }) => fieldViolations.map(({ field }) => field))
}

function expectEnvelope(body: Envelope, status: number, reason: Reason) {
  expect(reasonOf(body)).toBe(reason)
  expect(status).toBe(REASONS[reason].code)
  expect(body.error).toMatchObject({ code: status, status: REASONS[reason].status })
  expect(body.error.message).not.toBe('')
}

async function ask(path: string, init?: RequestInit) {
  const url = `${api.url}${path}`
  const response = await fetch(url, init)
  const body = (await response.json()) as Envelope
  if (!path.startsWith('/graphql')) expect(undescribed(url, response.status, body)).toEqual([])
  expect(response.headers.get('x-request-id')).toBeTruthy()
  return { status: response.status, headers: response.headers, body }
}

describe('a request that cannot be served', () => {
  const large = JSON.stringify({ query: `{ __typename } #${'x'.repeat(64 * 1024)}` })

  test.each<[string, string, RequestInit | undefined, Reason]>([
    ['an unknown path', '/v1/nothing', undefined, 'PATH_NOT_FOUND'],
    ['an unknown path, POST', '/v1/nothing', post('{}'), 'PATH_NOT_FOUND'],
    ['the root of a version', '/v1', undefined, 'PATH_NOT_FOUND'],
    ['a path of bad escapes', '/v1/%zz', undefined, 'MALFORMED_REQUEST'],
    ['another method', ORDER, post('{}'), 'METHOD_NOT_ALLOWED'],
    ['another method, not JSON', ORDER, post('x', {}), 'METHOD_NOT_ALLOWED'],
    ['another method of GraphQL', '/graphql', { method: 'DELETE' }, 'METHOD_NOT_ALLOWED'],
    ['another method of the stream', '/graphql/stream', { method: 'PUT' }, 'METHOD_NOT_ALLOWED'],
    ['another method of health', '/health', { method: 'PATCH' }, 'METHOD_NOT_ALLOWED'],
    ['a method of WebDAV', `${ORDER}/${ID}`, { method: 'PROPFIND' }, 'METHOD_NOT_ALLOWED'],
    ['a body over 64 KiB', '/graphql', post(large), 'REQUEST_TOO_LARGE'],
    [
      'a URL over 16 KiB',
      `${ORDER}?userAddress=${'x'.repeat(16_400)}`,
      undefined,
      'REQUEST_TOO_LARGE',
    ],
    ['a path over 16 KiB', `/v1/transit/orders/${'('.repeat(20_000)}`, {}, 'REQUEST_TOO_LARGE'],
    ['headers over 16 KiB', ORDER, { headers: { a: 'x'.repeat(16_400) } }, 'REQUEST_TOO_LARGE'],
    ['malformed JSON', '/graphql', post('{"query":'), 'MALFORMED_JSON'],
    ['an empty body', '/graphql', post(''), 'MALFORMED_JSON'],
    ['JSON that would poison', '/graphql', post('{"__proto__":{"a":1}}'), 'MALFORMED_JSON'],
    ['text', '/graphql', post('{}', { 'content-type': 'text/plain' }), 'UNSUPPORTED_CONTENT_TYPE'],
    [
      'a form',
      '/graphql',
      post('a=b', { 'content-type': 'application/x-www-form-urlencoded' }),
      'UNSUPPORTED_CONTENT_TYPE',
    ],
    ['no content type', '/graphql', { method: 'POST' }, 'UNSUPPORTED_CONTENT_TYPE'],
    [
      'text to the stream',
      '/graphql/stream',
      post('{}', { 'content-type': 'text/plain' }),
      'UNSUPPORTED_CONTENT_TYPE',
    ],
    [
      'a GET of the stream that any page could make a browser send',
      '/graphql/stream?query={__typename}',
      undefined,
      'INVALID_GRAPHQL',
    ],
    ['no GraphQL to the stream', '/graphql/stream', post('{}'), 'INVALID_GRAPHQL'],
    ['a key in the query', `${ORDER}?userAddress=${USER}&apiKey=a`, undefined, 'KEY_IN_QUERY'],
    [
      'a key under another name',
      `${ORDER}?userAddress=${USER}&token=causeway_0123`,
      undefined,
      'KEY_IN_QUERY',
    ],
    ['a key in the query of GraphQL', '/graphql?x-api-key=a', post('{}'), 'KEY_IN_QUERY'],
    [
      'a malformed key',
      `${ORDER}/${ID}`,
      { headers: { 'x-api-key': 'nonsense' } },
      'UNAUTHENTICATED',
    ],
    ['an empty key', `${ORDER}/${ID}`, { headers: { 'x-api-key': '' } }, 'UNAUTHENTICATED'],
    [
      'a malformed key to GraphQL',
      '/graphql',
      post('{"query":"{__typename}"}', { ...json, 'x-api-key': 'x' }),
      'UNAUTHENTICATED',
    ],
    [
      'a malformed key to the stream',
      '/graphql/stream',
      post('{"query":"{__typename}"}', { ...json, 'x-api-key': 'x' }),
      'UNAUTHENTICATED',
    ],
    ['an order no station can be asked about', `${ORDER}/${ID}`, undefined, 'RPC_UNAVAILABLE'],
  ])('error: %s', async (_, path, init, reason) => {
    const { status, headers, body } = await ask(path, init)
    expectEnvelope(body, status, reason)
    expect(headers.get('retry-after')).toBe(status === 503 ? '1' : null)
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('error: times in milliseconds, over REST and GraphQL', async () => {
    const times = { startTime: '1700000000000', endTime: '1700000000001' }
    const rest = await ask(`${ORDER}?userAddress=${USER}&${new URLSearchParams(times)}`)
    expectEnvelope(rest.body, rest.status, 'INVALID_FIELD')
    expect(fieldsOf(rest.body)).toEqual(['startTime', 'endTime'])
    expect(rest.body.error.message).toContain('milliseconds')
    const query = `query ($startTime: UnixTime, $endTime: UnixTime) {
      transitOrders(userAddress: "${USER}", startTime: $startTime, endTime: $endTime) { nextPageToken } }`
    const variables = { startTime: 1_700_000_000_000, endTime: 1_700_000_000_001 }
    const answer = await ask('/graphql', post(JSON.stringify({ query, variables })))
    expect(answer.status).toBe(400)
    expect(JSON.stringify(answer.body)).toContain('milliseconds')
  })

  test('behavior: a 405 names what is allowed', async () => {
    expect((await ask(ORDER, post('{}'))).headers.get('allow')).toBe('GET, HEAD')
    expect((await ask('/graphql', { method: 'PUT' })).headers.get('allow')).toBe('GET, HEAD, POST')
  })

  test.each<[string, string, Reason]>([
    [
      'headers that the parser refuses',
      `GET /health HTTP/1.1\r\nhost: a\r\nb: ${'x'.repeat(60_000)}\r\n\r\n`,
      'REQUEST_TOO_LARGE',
    ],
    [
      'a URL that the parser refuses',
      `GET /${'x'.repeat(60_000)} HTTP/1.1\r\nhost: a\r\n\r\n`,
      'REQUEST_TOO_LARGE',
    ],
    ['no HTTP', 'hello\r\n\r\n', 'MALFORMED_REQUEST'],
    ['an unknown method', 'FETCH /health HTTP/1.1\r\nhost: a\r\n\r\n', 'MALFORMED_REQUEST'],
    [
      'two hosts',
      'GET /health HTTP/1.1\r\nhost: a\r\nconnection: close\r\nHOST: b\r\n\r\n',
      'MALFORMED_REQUEST',
    ],
    ['no host', 'GET /health HTTP/1.1\r\nconnection: close\r\n\r\n', 'MALFORMED_REQUEST'],
  ])('error: %s', async (_, bytes, reason) => {
    const { status, headers, body } = await rawRequest(api.port, bytes)
    expectEnvelope(body, status, reason)
    expect(headers.get('x-request-id')).toBeTruthy()
  })

  test('behavior: health ignores keys', async () => {
    const response = await fetch(`${api.url}/health`, { headers: { 'x-api-key': 'nonsense' } })
    expect([200, 503]).toContain(response.status)
  })
})

describe('a bad field', () => {
  test.each<[string, string, string[]]>([
    ['an id that is too short', `${ORDER}/0x12`, ['orderId']],
    ['an id without 0x', `${ORDER}/${'9'.repeat(64)}`, ['orderId']],
    ['an id of 15 KiB', `${ORDER}/${'9'.repeat(15_000)}`, ['orderId']],
    ['waitSeconds below', `${ORDER}/${ID}?waitSeconds=-1`, ['waitSeconds']],
    ['waitSeconds above', `${ORDER}/${ID}?waitSeconds=31`, ['waitSeconds']],
    ['waitSeconds in parts', `${ORDER}/${ID}?waitSeconds=1.5`, ['waitSeconds']],
    ['waitSeconds empty', `${ORDER}/${ID}?waitSeconds=`, ['waitSeconds']],
    ['waitSeconds twice', `${ORDER}/${ID}?waitSeconds=1&waitSeconds=1`, ['waitSeconds']],
    ['both', `${ORDER}/0x?waitSeconds=x`, ['orderId', 'waitSeconds']],
    ['no user', ORDER, ['userAddress']],
    ['a malformed user', `${ORDER}?userAddress=0x12`, ['userAddress']],
    ['pageSize 0', `${ORDER}?userAddress=${USER}&pageSize=0`, ['pageSize']],
    ['pageSize 101', `${ORDER}?userAddress=${USER}&pageSize=101`, ['pageSize']],
    ['pageSize in words', `${ORDER}?userAddress=${USER}&pageSize=ten`, ['pageSize']],
    ['pageSize in parts', `${ORDER}?userAddress=${USER}&pageSize=2.5`, ['pageSize']],
    ['a malformed token', `${ORDER}?userAddress=${USER}&pageToken=x`, ['pageToken']],
    ['a malformed filter', `${ORDER}?userAddress=${USER}&filter=status%3D`, ['filter']],
    ['an unknown filter key', `${ORDER}?userAddress=${USER}&filter=colour%3Dred`, ['filter']],
    [
      'all at once',
      `${ORDER}?userAddress=0x12&pageSize=0&filter=%28&pageToken=x`,
      ['userAddress', 'pageSize', 'filter', 'pageToken'],
    ],
    ['a page without a user', `${ORDER}?pageSize=0`, ['userAddress', 'pageSize']],
  ])('error: %s', async (_, path, fields) => {
    const { status, body } = await ask(path)
    expect(status).toBe(400)
    expect(body.error.status).toBe('INVALID_ARGUMENT')
    expect(fieldsOf(body).sort()).toEqual(fields.sort())
    expect(body.error.details.map((detail) => detail['@type'])).toEqual([
      'type.service.dev/errors/BadRequest',
      'type.service.dev/errors/ErrorInfo',
    ])
  })
})

describe('an unknown name', () => {
  const quote = '/v1/transit/orders/quote'
  const addresses = '/v2/earn/smartDepositAddresses'
  const violationsOf = async (path: string, body?: object) => {
    const response = await askWithKey(`${api.url}${path}`, body && post(JSON.stringify(body)))
    const { error } = (await response.json()) as Envelope
    expect(response.status).toBe(400)
    const violations = error.details.flatMap(({ fieldViolations }) => fieldViolations)
    return Object.fromEntries(violations.map(({ field, description }) => [field, description]))
  }

  test.each([
    ['case', 'PayerAddress', 'payerAddress'],
    ['a letter too many', 'distributorCodes', 'distributorCode'],
    ['a letter too few', 'sourceChanId', 'sourceChainId'],
    ['another letter', 'integratorFae', 'integratorFee'],
    ['neighbours that changed places', 'wantAsest', 'wantAsset'],
    ['case and one letter', 'want_asset', 'wantAsset'],
    ['a parameter of REST alone', 'responseformat', 'responseFormat'],
  ])('error: beside a parameter of calldata, %s', async (_, typo, meant) => {
    const violations = await violationsOf(`${quote}?${typo}=1`)
    expect(violations).toMatchObject({ [typo]: `unknown; did you mean ${meant}?` })
  })

  test('error: together with every other bad field', async () => {
    expect(
      await violationsOf(`${addresses}`, { chainID: 1, colour: 'red', inputToken: 'x' }),
    ).toEqual({
      chainId: 'required',
      chainID: 'unknown; did you mean chainId?',
      colour: 'unknown field',
      inputToken: expect.stringContaining('expected an address'),
      userDestinationAddress: 'required',
      vaultAddress: 'required',
    })
  })

  test.each(['/graphql', '/graphql/stream'])('error: in the body of %s', async (path) => {
    const body = { query: '{ __typename }', variable: {} }
    expect(await violationsOf(path, body)).toEqual({
      variable: 'unknown; did you mean variables?',
    })
  })

  test('behavior: is ignored otherwise', async () => {
    const path = `${ORDER}?userAddress=${USER}&PageSize=0&colour=red`
    expect((await ask(path)).status).toBe(200)
    expect(await violationsOf(`${quote}?colour=red`)).not.toHaveProperty('colour')
  })

  test('behavior: of thousands, some are named', async () => {
    const body = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`x${index}`, 1]))
    const named = Object.keys(await violationsOf(addresses, body))
    expect(named.filter((name) => name.startsWith('x'))).toHaveLength(100)
  })
})

describe('while the index catches up', () => {
  test('error: reads are refused, with the time to retry', async () => {
    await setReady(api.context.sql, 4663, false)
    const { status, headers, body } = await ask(`${ORDER}?userAddress=${USER}`)
    await setReady(api.context.sql, 4663, true)
    expectEnvelope(body, status, 'INDEX_CATCHING_UP')
    expect(headers.get('retry-after')).toBe('1')
  })
})

describe('without nodes', () => {
  test('behavior: the service can answer, and health is not ok beside what is down', async () => {
    await setHeadTime(api.context.sql, 1, Math.floor(Date.now() / 1_000))
    const readHealth = async () => {
      const health = await fetch(`${api.url}/health`)
      const report = await health.json()
      expect(health.status).toBe(200)
      expect(undescribed(`${api.url}/health`, 200, report)).toEqual([])
      return report
    }
    await expect
      .poll(readHealth)
      .toMatchObject({ status: 'error', error: { 'rpc:1': { status: 'down' } } })
  })
})

describe('ready within a lag', () => {
  const ready = (query: string) => ask(`/ready${query}`)
  const setAge = (chainId: number, seconds: number) =>
    setHeadTime(api.context.sql, chainId, Math.floor(Date.now() / 1_000) - seconds)

  test('default: only the chains that lack more are named', async () => {
    await setAge(1, 20)
    await setAge(4663, 100)
    expect(await ready('?maxLagSeconds=300')).toMatchObject({ status: 200, body: { status: 'ok' } })
    const { status, headers, body } = await ready('?maxLagSeconds=60')
    expectEnvelope(body, status, 'UNHEALTHY')
    expect(headers.get('retry-after')).toBe('1')
    expect(body.error.details.at(-1)).toMatchObject({ metadata: { chainIds: '4663' } })
    const both = await ready('?maxLagSeconds=10')
    expect(both.body.error.details.at(-1)).toMatchObject({ metadata: { chainIds: '1,4663' } })
    expect((await ready('')).status).toBe(200)
  })

  test('behavior: chains that are not asked for may lack anything', async () => {
    await setAge(1, 20)
    await setAge(4663, 100)
    expect((await ready('?maxLagSeconds=60&chainIds=1')).status).toBe(200)
    expect((await ready('?maxLagSeconds=60&chainIds=1,4663')).status).toBe(503)
  })

  test.each([
    ['no number', '?maxLagSeconds=soon', 'maxLagSeconds'],
    ['twice', '?maxLagSeconds=1&maxLagSeconds=2', 'maxLagSeconds'],
    ['misspelt', '?maxLagSecond=1', 'maxLagSecond'],
    ['chains without a lag', '?chainIds=1', 'maxLagSeconds'],
    ['no chain id', '?maxLagSeconds=60&chainIds=eth', 'chainIds'],
    ['a chain that is not indexed', '?maxLagSeconds=60&chainIds=5', 'chainIds'],
  ])('error: %s', async (_, query, field) => {
    const { status, body } = await ready(query)
    expectEnvelope(body, status, 'INVALID_FIELD')
    expect(body.error.details[0]).toMatchObject({ fieldViolations: [{ field }] })
  })
})

describe('without a database', () => {
  test('error: reads and health are 503, without internal details', async () => {
    const own = await startTestApi()
    const { sql, keySql } = own.context
    await Promise.all([sql, keySql].map((pool) => pool.end({ timeout: 0 })))
    const response = await fetch(`${own.url}${ORDER}/${ID}`)
    const body = (await response.json()) as Envelope
    expectEnvelope(body, response.status, 'DATABASE_UNAVAILABLE')
    expect(JSON.stringify(body)).not.toMatch(/CONNECTION|postgres/)

    const health = await fetch(`${own.url}/health`)
    const report = await health.json()
    expect(health.status).toBe(503)
    expect(undescribed(`${own.url}/health`, 503, report)).toEqual([])
    expect(report).toMatchObject({
      status: 'error',
      error: { code: 503, status: 'INTERNAL', database: { status: 'down' } },
    })
    expect((await fetch(`${own.url}/ready?maxLagSeconds=300`)).status).toBe(503)
    // A failed check is the answer of the client's health(), and no error.
    const { core } = createCausewayClient({ url: own.url, retry: { attempts: 1 } })
    expect(await core.health()).toMatchObject({
      status: 'error',
      details: { database: { status: 'down' } },
    })
    await own.stop()
  })
})

describe('x-request-id', () => {
  test('behavior: a sane one comes back, on errors too', async () => {
    const { headers } = await ask('/v1/nothing', { headers: { 'x-request-id': 'mine-1' } })
    expect(headers.get('x-request-id')).toBe('mine-1')
  })

  test('behavior: another is replaced', async () => {
    const { headers } = await ask('/v1/nothing', { headers: { 'x-request-id': 'not mine' } })
    expect(headers.get('x-request-id')).not.toBe('not mine')
  })
})
