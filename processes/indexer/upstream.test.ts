import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createLogger } from '../logger.ts'
import { createRpcNode } from './rpcNode.ts'
import { createUpstream, NodesUnavailableError } from './upstream.ts'

type Reply = (response: ServerResponse) => void

const logger = createLogger('test', 'silent')
const request = { method: 'eth_blockNumber', params: [] }
const closers: (() => void)[] = []

describe('createUpstream', () => {
  afterEach(() => {
    for (const close of closers.splice(0)) close()
  })

  test('default', async () => {
    const url = await startNode(json({ result: '0x7' }))
    expect(await ask([url])).toEqual({ result: '0x7' })
  })

  const failures: Record<string, Reply> = {
    'a timeout': () => {},
    'an HTTP error': (response) => response.writeHead(500).end(),
    'too many requests': (response) => response.writeHead(429).end(),
    'what is not JSON': (response) => response.end('<html>'),
    'what is not JSON-RPC': json({ hello: 1 }),
    'a broken connection': (response) => response.destroy(),
    'an error object': json({ error: { code: -32000, message: 'header not found' } }),
  }
  test.each(Object.entries(failures))('behavior: falls back on %s', async (_, reply) => {
    const urls = [await startNode(reply), await startNode(json({ result: '0x8' }))]
    expect(await ask(urls)).toEqual({ result: '0x8' })
  })

  test('behavior: falls back on a node of another chain', async () => {
    const urls = [
      await startNode(json({ result: '0xbad' }), '0x5'),
      await startNode(json({ result: '0x8' })),
    ]
    expect(await ask(urls)).toEqual({ result: '0x8' })
  })

  test('behavior: an error object that all agree on is an answer', async () => {
    const error = { code: -32602, message: 'invalid params' }
    const urls = [await startNode(json({ error })), await startNode(json({ error }))]
    expect(await ask(urls)).toEqual({ error })
  })

  test('error: no node answers', async () => {
    const down = (response: ServerResponse) => response.writeHead(502).end()
    const urls = [await startNode(down), await startNode(down)]
    await expect(ask(urls)).rejects.toThrow(NodesUnavailableError)
  })
})

function ask(urls: string[]) {
  const nodes = urls.map((url) => createRpcNode({ chainId: 1, url, logger, timeoutMs: 1_000 }))
  return createUpstream(1, nodes).request(request)
}

function json(body: object): Reply {
  return (response) => response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }))
}

/** A node that says its chain id and answers all else by `reply`. */
async function startNode(reply: Reply, chainId = '0x1'): Promise<string> {
  const server = createServer(async (incoming, response) => {
    let text = ''
    for await (const chunk of incoming) text += String(chunk)
    const { method } = JSON.parse(text) as { method: string }
    if (method === 'eth_chainId') json({ result: chainId })(response)
    else reply(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
