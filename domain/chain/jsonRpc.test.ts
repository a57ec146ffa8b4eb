import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { postJsonRpc } from './jsonRpc.ts'

test('error: a redirect is not followed: it could lead into the inner network', async () => {
  const asked: (string | undefined)[] = []
  const server = createServer(({ url }, response) => {
    asked.push(url)
    response.writeHead(307, { location: '/inner' }).end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((listening) => server.once('listening', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/node`
  const limits = { timeoutMs: 5_000, maxResponseBytes: 1_000 }
  await expect(postJsonRpc(url, { method: 'eth_chainId', params: [] }, limits)).rejects.toThrow()
  expect(asked).toEqual(['/node'])
})
