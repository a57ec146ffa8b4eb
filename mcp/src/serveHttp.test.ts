import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { serveHttp } from './serveHttp.ts'
import { serverMaker } from './serverMaker.ts'

const operation = {
  operationId: 'getHeaders',
  summary: 'Headers',
  description: 'The headers that arrive.',
  responses: { 200: { content: { 'application/json': { schema: { type: 'object' } } } } },
}
const document = {
  info: { title: 'Causeway', version: '1', description: '' },
  paths: { '/headers': { get: operation } },
  components: { schemas: {} },
}

/** Answers with the headers that it gets. */
const api = createServer(({ headers }, response) => response.end(JSON.stringify(headers)))
const urlOf = (listening: Server) => `http://127.0.0.1:${(listening.address() as AddressInfo).port}`

const failures: string[] = []
let server: Server
beforeAll(async () => {
  await new Promise<void>((listening) => api.listen(0, '127.0.0.1', listening))
  const options = { apiUrl: urlOf(api), host: '127.0.0.1', port: 0 }
  const allowedHosts = ['127.0.0.1', 'localhost', 'mcp.example']
  const onError = ({ message }: Error) => failures.push(message)
  const serverFor = serverMaker(document, null)
  server = await serveHttp({ ...options, allowedHosts, onError }, (caller) => {
    if (caller.apiKey === 'broken') throw new Error('no server for this key')
    return serverFor(caller)
  })
})
afterAll(() => {
  server?.close()
  api.close()
})

/** The status of a POST with these headers; `fetch` does not let a caller choose `Host`. */
function statusOf(headers: Record<string, string>, { path = '/mcp', body = '{}' } = {}) {
  return new Promise<number | undefined>((answered, failed) => {
    const { port } = server.address() as AddressInfo
    const type = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const sent = request({
      port,
      host: '127.0.0.1',
      path,
      method: 'POST',
      headers: { ...type, ...headers },
    })
    sent.on('response', (response) => answered(response.resume().statusCode)).on('error', failed)
    sent.end(body)
  })
}

test.each([
  ['a Host of a name that was bound to this address', { host: 'attacker.example' }],
  ['an Origin of a web page', { host: 'localhost', origin: 'https://attacker.example' }],
  ['an Origin without a name', { host: 'localhost', origin: 'null' }],
])('error: %s is refused with 403', async (_, headers) => {
  expect(await statusOf(headers)).toBe(403)
})

test('behavior: an allowed name passes, with any port; only /mcp is served', async () => {
  // An empty message is refused, but by the protocol.
  expect(await statusOf({ host: 'mcp.example:8443', origin: 'https://mcp.example' })).toBe(400)
  expect(await statusOf({ host: 'localhost' }, { path: '/' })).toBe(404)
})

test.each(['//', '///mcp', 'http://[', '*', '/mcp/', '/%'])(
  'error: the request target %s is a 404, and the server lives on',
  async (path) => {
    expect(await statusOf({ host: 'localhost' }, { path })).toBe(404)
    expect(await statusOf({ host: 'localhost' }, { path: '/mcp?a=1' })).toBe(400)
  },
)

test('error: a body that no client sends is refused with 413', async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x'.repeat(100_001) })
  expect(await statusOf({ host: 'localhost' }, { body })).toBe(413)
})

test('error: a failure within this server is reported, not only answered with 500', async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  expect(await statusOf({ host: 'localhost', 'x-api-key': 'broken' }, { body })).toBe(500)
  expect(failures).toContain('no server for this key')
})

test('behavior: the API gets the key and the address of each caller, and no other key', async () => {
  const arrived = async (headers: Record<string, string>) => {
    const client = new Client({ name: 'test', version: '1' })
    onTestFinished(() => client.close())
    const url = new URL('/mcp', urlOf(server))
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
    return (await client.callTool({ name: 'getHeaders' })).structuredContent
  }
  const first = { 'x-api-key': 'first', 'x-forwarded-for': '192.0.2.1' }
  expect(await arrived(first)).toMatchObject({
    'x-api-key': 'first',
    'x-forwarded-for': '192.0.2.1, 127.0.0.1',
  })
  const nobody = await arrived({})
  expect(nobody).toMatchObject({ 'x-forwarded-for': '127.0.0.1' })
  expect(nobody).not.toHaveProperty('x-api-key')
})
