import { request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serverMaker } from './createServer.ts'
import { serveHttp } from './serveHttp.ts'

let server: Server
beforeAll(async () => {
  const info = { title: 'Causeway', version: '1', description: '' }
  const serverFor = serverMaker({ info, paths: {}, components: { schemas: {} } })
  const options = { apiUrl: 'http://127.0.0.1:1', host: '127.0.0.1', port: 0 }
  server = await serveHttp({ ...options, allowedHosts: ['localhost', 'mcp.example'] }, serverFor)
})
afterAll(() => server?.close())

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

test('error: a body that no client sends is refused with 413', async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x'.repeat(100_001) })
  expect(await statusOf({ host: 'localhost' }, { body })).toBe(413)
})
