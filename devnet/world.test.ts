import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { devnetClient } from './world.ts'

test('error: an answer that does not end is given up after the time-out, twice', async () => {
  let requests = 0
  const server = createServer((_, response) => {
    requests += 1
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 })
    response.write('{"jsonrpc":"2.0",')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = devnetClient(1, `http://127.0.0.1:${port}`, { timeout: 100 })
  await expect(client.getChainId()).rejects.toThrow('aborted due to timeout')
  expect(requests).toBe(2)
})
