import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { createPublicClient } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createChainNodes } from './chainNodes.ts'
import { nodeTransport } from './nodeTransport.ts'
import { createRpcNode } from './rpcNode.ts'

const limits = { timeoutMs: 1_000, rangeTimeoutMs: 1_000, maxResponseBytes: 1_000_000 }
const KEY = 'k3y-0f-a-provider'

describe('nodeTransport', () => {
  let answer = ''
  let url = ''
  let chainId = '0x1'
  // The chain id comes first: without it a node is not asked for more.
  const server = createServer(async (request, response) => {
    const { method } = JSON.parse(await text(request)) as { method: string }
    if (method === 'eth_chainId')
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: chainId }))
    else response.writeHead(answer ? 200 : 500).end(answer)
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/${KEY}?token=${KEY}`
  })
  afterAll(() => void server.close())

  const failure = () =>
    createPublicClient({
      transport: nodeTransport(
        1,
        createChainNodes(1, [createRpcNode({ chainId: 1, url, limits })]),
      ),
    })
      .readContract({
        address: '0x0000000000000000000000000000000000000001',
        abi: [{ type: 'function', name: 'f', inputs: [], outputs: [], stateMutability: 'view' }],
        functionName: 'f',
      })
      .then(
        () => '',
        (error) => inspect(error, { depth: 20, showHidden: true }),
      )

  test.each([
    ['an HTTP error', ''],
    ['an error object', '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no"}}'],
    ['garbage', '<html>'],
    [
      'a node that repeats the key',
      `{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"${KEY}: quota"}}`,
    ],
  ])('error: %s, shows no key of the URL', async (_, given) => {
    answer = given
    const shown = await failure()
    expect(shown).not.toBe('')
    expect(shown).not.toContain(KEY)
  })

  test('behavior: an error that repeats the key is shown without it', async () => {
    answer = `{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"${KEY}: quota"}}`
    expect(await failure()).toContain('/…: quota')
  })

  test("error: another chain's node", async () => {
    chainId = '0x2'
    expect(await failure()).toContain('expected a node of chain 1, this one answers 0x2')
  })

  test('error: a node that is gone', async () => {
    server.close()
    server.closeAllConnections()
    const shown = await failure()
    expect(shown).not.toBe('')
    expect(shown).not.toContain(KEY)
  })
})
