import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { callOperation } from './callOperation.ts'
import type { Shield } from './shield/openShield.ts'

const tool = {
  name: 'getThing',
  title: 'Thing',
  description: 'A thing.',
  path: '/things/{id}',
  inputSchema: { type: 'object', properties: { id: {}, pageSize: {} } },
  outputSchema: { type: 'object' },
  preparing: null,
}

/** Asks a server that answers so; returns the result and its text, read as JSON. */
async function call(
  listener: RequestListener,
  input: Record<string, unknown> = { id: 'a/b' },
  shield: Shield | null = null,
) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
  })
  await new Promise((listening) => server.once('listening', listening))
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const caller = { apiUrl, apiKey: 'key', forwardedFor: '192.0.2.1' }
  const signal = new AbortController().signal
  const result = await callOperation(caller, tool, { input, signal, shield })
  const [content] = result.content
  return { result, text: content?.type === 'text' ? JSON.parse(content.text) : null }
}

test('default: path, query, key and the address of the caller are sent', async () => {
  const { result, text } = await call(
    ({ url, headers }, response) =>
      response.end(
        JSON.stringify({ got: [url, headers['x-api-key'], headers['x-forwarded-for']] }),
      ),
    { id: 'a/b', pageSize: 2, ids: ['x', 'y'] },
  )
  expect(text.got).toEqual(['/things/a%2Fb?pageSize=2&ids=x%2Cy', 'key', '192.0.2.1'])
  expect(result.structuredContent).toEqual(text)
  expect(result.isError).toBeUndefined()
})

test.each(['..', '.', ''])(
  'error: an id that leads to another path is not sent: %j',
  async (id) => {
    let asked = 0
    const { result, text } = await call(
      (_, response) => {
        asked += 1
        response.end('{}')
      },
      { id },
    )
    expect([result.isError, text.reason, asked]).toEqual([true, 'INVALID_INPUT', 0])
  },
)

test('error: an answer above the limit names the remedy, and is not read to its end', async () => {
  let written = 0
  const { result, text } = await call((_, response) => {
    const more = () => {
      while (written < 50_000_000 && response.write('x'.repeat(10_000))) written += 10_000
    }
    response.on('drain', more)
    more()
  })
  expect(result.isError).toBe(true)
  expect(text).toMatchObject({
    reason: 'ANSWER_TOO_LARGE',
    message: expect.stringContaining('pageSize'),
  })
  expect(written).toBeLessThan(50_000_000)
})

test("error: the API's envelope is the reason, the violations and the request's id", async () => {
  const { result, text } = await call((_, response) => {
    const details = [
      { reason: 'INVALID_PARAMETERS', metadata: {} },
      { fieldViolations: [{ field: 'id', description: 'expected a hash' }] },
    ]
    response.writeHead(429, { 'x-request-id': 'r1', 'retry-after': '7' })
    response.end(JSON.stringify({ error: { message: 'bad', details } }))
  })
  expect(result.isError).toBe(true)
  expect(text).toEqual({
    reason: 'INVALID_PARAMETERS',
    message: 'bad',
    status: 429,
    metadata: {},
    violations: [{ field: 'id', description: 'expected a hash' }],
    requestId: 'r1',
    retryAfterSeconds: 7,
  })
})

test('error: with a shield, a failure has nothing that a wallet could sign', async () => {
  const data = `0x${'ab'.repeat(68)}`
  // Cast, because a failure is answered before the check reads its book.
  const shield = { book: {}, nodes: new Map() } as unknown as Shield
  const answerWith =
    (body: object): RequestListener =>
    (_, response) => {
      response.writeHead(400).end(JSON.stringify(body))
    }
  const info = { reason: 'INVALID_PARAMETERS', metadata: { to: '0x01', data } }
  const violation = { field: 'id', description: `sign ${data}` }
  const details = [info, { fieldViolations: [violation] }]
  const envelope = { error: { message: `send ${data}`, details } }
  for (const body of [envelope, { text: data }]) {
    const { result, text } = await call(answerWith(body), undefined, shield)
    expect(result.isError).toBe(true)
    expect(JSON.stringify(text)).not.toMatch(/abababab/)
    expect(JSON.stringify(text)).toContain('left out, because it was not checked')
  }
})

test('error: a redirect is not followed, because the key would go with it', async () => {
  let followed = 0
  const { text } = await call(({ url }, response) => {
    if (url === '/elsewhere') followed += 1
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  expect(text).toMatchObject({ reason: 'CONNECTION_FAILED' })
  expect(followed).toBe(0)
})

test('error: a proxy answers, or nobody', async () => {
  const proxy = await call((_, response) => response.writeHead(502).end('<html>'))
  expect(proxy.text).toMatchObject({ reason: 'HTTP_ERROR', message: '<html>', status: 502 })
  const page = await call((_, response) => response.end('<html>'))
  expect(page.text).toMatchObject({ reason: 'HTTP_ERROR', message: '<html>', status: 200 })
  const nobody = await call(({ socket }) => socket.destroy())
  expect(nobody.text).toMatchObject({ reason: 'CONNECTION_FAILED', requestId: null })
})
