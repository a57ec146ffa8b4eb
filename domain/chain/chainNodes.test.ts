import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { createChainNodes, NodesUnavailableError } from './chainNodes.ts'
import { createRpcNode } from './rpcNode.ts'

const LIMITS = {
  timeoutMs: 1_000,
  rangeTimeoutMs: 1_000,
  maxResponseBytes: 1_000_000,
  maxReceiptBytes: 2_000_000,
}

type Reply = (response: ServerResponse, method: string) => void

const request = { method: 'eth_blockNumber', params: [] }
const closers: (() => void)[] = []

describe('createChainNodes', () => {
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
    'text that is not JSON': (response) => response.end('<html>'),
    'JSON that is not JSON-RPC': json({ hello: 1 }),
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

  test('behavior: a revert is the answer of the chain: no other node is asked', async () => {
    const error = { code: 3, message: 'execution reverted', data: '0x08c379a0' }
    let asked = 0
    const urls = [
      await startNode((response) => response.writeHead(400).end(JSON.stringify({ error }))),
      await startNode((response) => {
        asked += 1
        json({ result: '0x8' })(response)
      }),
    ]
    expect(await ask(urls)).toEqual({ error })
    expect(asked).toBe(0)
  })

  test('behavior: a transaction that one node rejects is sent to the next one', async () => {
    const error = { code: -32003, message: 'insufficient funds for gas * price + value' }
    const urls = [await startNode(json({ error })), await startNode(json({ result: '0x8' }))]
    expect(await ask(urls)).toEqual({ result: '0x8' })
    const rejecting = [await startNode(json({ error })), await startNode(json({ error }))]
    expect(await ask(rejecting)).toEqual({ error })
  })

  test.each([400, 500])(
    'behavior: an error object with HTTP %i is an answer, no failure of the node',
    async (status) => {
      const error = { code: -32000, message: 'already known' }
      const url = await startNode((response) => {
        response.writeHead(status).end(JSON.stringify({ error }))
      })
      const nodes = nodesOf([url])
      expect(await createChainNodes(1, nodes).request(request)).toEqual({ error })
      expect(nodes[0]?.isCooling()).toBe(false)
    },
  )

  test.each([401, 429, 503])(
    'behavior: an error object with HTTP %i is a failure of the node',
    async (status) => {
      const error = { code: -32000, message: 'no' }
      const nodes = nodesOf([
        await startNode((response) => {
          response.writeHead(status).end(JSON.stringify({ error }))
        }),
      ])
      await expect(createChainNodes(1, nodes).request(request)).rejects.toThrow(`HTTP ${status}`)
      expect(nodes[0]?.isCooling()).toBe(true)
    },
  )

  test('behavior: a request that is too large for a node makes it no bad node', async () => {
    const nodes = nodesOf([await startNode((response) => response.writeHead(413).end('<html>'))])
    const error = { code: -32600, message: 'HTTP 413: the request is too large' }
    expect(await createChainNodes(1, nodes).request(request)).toEqual({ error })
    expect(nodes[0]?.isCooling()).toBe(false)
  })

  test('behavior: a transaction receipt that one node lacks may be at another', async () => {
    const receipt = receiptOf()
    const urls = [
      await startNode(json({ result: null })),
      await startNode(json({ result: receipt })),
    ]
    const asked = { method: 'eth_getTransactionReceipt', params: [receipt.transactionHash] }
    expect(await createChainNodes(1, nodesOf(urls)).request(asked)).toEqual({ result: receipt })
  })

  test('behavior: a transaction receipt may be larger than other answers', async () => {
    const large = receiptOf({ logsBloom: 'f'.repeat(1_500_000) })
    const [node] = nodesOf([await startNode(json({ result: large }))])
    const of = (method: string) => node?.ask({ method, params: [large.transactionHash] })
    expect(await of('eth_getTransactionReceipt')).toMatchObject({ result: large })
    await expect(of('eth_getTransactionByHash')).rejects.toThrow('bytes')
  })

  test('behavior: logs of a range come from a node that has its last block', async () => {
    const filter = { method: 'eth_getLogs', params: [{ fromBlock: '0x1', toBlock: '0x8' }] }
    const nodeAt = (head: string, logs: object[]) =>
      startNode((response, method) =>
        json({ result: method === 'eth_blockNumber' ? head : logs })(response),
      )
    const log = {
      blockHash: `0x${'1'.repeat(64)}`,
      blockNumber: '0x8',
      transactionHash: `0x${'2'.repeat(64)}`,
      logIndex: '0x0',
    }
    const nodes = nodesOf([await nodeAt('0x7', []), await nodeAt('0x8', [log])])
    expect(await createChainNodes(1, nodes).request(filter)).toEqual({ result: [log] })
    const lagging = nodesOf([await nodeAt('0x7', [])])
    await expect(createChainNodes(1, lagging).request(filter)).rejects.toThrow('these blocks')
  })

  test('behavior: a log that a node repeats is one log', async () => {
    const log = (logIndex: string, transaction: string) => ({
      blockHash: `0x${'1'.repeat(64)}`,
      blockNumber: '0x8',
      transactionHash: `0x${transaction.repeat(64)}`,
      logIndex,
    })
    // Some chains count the logs of their system's transactions anew.
    const logs = [log('0x0', 'a'), log('0x1', 'a'), log('0x0', 'b')]
    const [node] = nodesOf([await startNode(json({ result: [...logs, ...logs] }))])
    const method = 'eth_getLogs'
    expect(await node?.ask({ method, params: [{ blockHash: `0x${'1'.repeat(64)}` }] })).toEqual({
      kind: 'good',
      result: logs,
    })
  })

  test('behavior: null is an empty list of logs', async () => {
    const [node] = nodesOf([await startNode(json({ result: null }))])
    const logs = { method: 'eth_getLogs', params: [{ blockHash: `0x${'1'.repeat(64)}` }] }
    expect(await node?.ask(logs)).toEqual({ kind: 'good', result: [] })
  })

  test('behavior: a receipt without a block is none', async () => {
    const receipt = receiptOf()
    const urls = [
      await startNode(json({ result: receiptOf({ blockHash: null }) })),
      await startNode(json({ result: receipt })),
    ]
    const call = { method: 'eth_getTransactionReceipt', params: [receipt.transactionHash] }
    const [waiting] = nodesOf(urls)
    expect(await waiting?.ask(call)).toEqual({ kind: 'absent', result: null })
    expect(await createChainNodes(1, nodesOf(urls)).request(call)).toEqual({ result: receipt })
  })

  test('behavior: an empty result of Multicall3 is no answer', async () => {
    const multicall3 = '0xca11bde05977b3631167028862be2a173976ca11'
    const urls = [
      await startNode(json({ result: '0x' })),
      await startNode(json({ result: '0x01' })),
    ]
    const nodes = urls.map((url) => createRpcNode({ chainId: 1, url, limits: LIMITS, multicall3 }))
    const call = { method: 'eth_call', params: [{ to: multicall3, data: '0x' }, 'latest'] }
    expect(await createChainNodes(1, nodes).request(call)).toEqual({ result: '0x01' })
  })

  test('behavior: a response that is too long is a failure', async () => {
    const result = `0x${'1'.repeat(2_000_000)}`
    const urls = [await startNode(json({ result })), await startNode(json({ result: '0x8' }))]
    expect(await ask(urls)).toEqual({ result: '0x8' })
  })

  test('behavior: a failed node is asked last, and recovers by its probes', async () => {
    let isDown = true
    const [first, second] = nodesOf([
      await startNode((response) =>
        isDown ? response.writeHead(500).end() : json({ result: '0x1' })(response),
      ),
      await startNode(json({ result: '0x2' }), '0x1', () => 100),
    ])
    if (!first || !second) throw new Error('two nodes')
    const chain = createChainNodes(1, [first, second])
    expect(await chain.request(request)).toEqual({ result: '0x2' })
    expect([first.isCooling(), first.failures()]).toEqual([true, 1])
    isDown = false
    for (const node of [first, second]) node.note(await node.probe())
    first.recover()
    expect(first.failures()).toBe(0)
    await expect.poll(() => first.isCooling()).toBe(false)
    expect(await chain.request(request)).toEqual({ result: '0x1' })
  })

  test('behavior: of healthy nodes the faster one is asked first', async () => {
    let delayMs = 100
    const slow = await startNode(json({ result: '0x1' }), '0x1', () => delayMs)
    const chain = createChainNodes(1, nodesOf([slow, await startNode(json({ result: '0x2' }))]))
    for (const node of chain.nodes) node.note(await node.probe())
    delayMs = 0
    expect(await chain.request(request)).toEqual({ result: '0x2' })
  })

  test.each([
    ['became silent', null],
    ['is of another chain', '0x5'],
  ])('behavior: probes find a node that %s before a read does', async (_, answered) => {
    let chainId: string | null = '0x1'
    const atBlock7 =
      (gasPrice: string): Reply =>
      (response, method) =>
        json({ result: method === 'eth_blockNumber' ? '0x7' : gasPrice })(response)
    const first = await startNode(atBlock7('0x1'), () => chainId)
    const second = await startNode(atBlock7('0x2'))
    const limits = { ...LIMITS, timeoutMs: 500 }
    const chain = createChainNodes(1, nodesOf([first, second], limits), { probeMs: 20 })
    const gasPrice = { method: 'eth_gasPrice', params: [] }
    expect(await chain.request(gasPrice)).toEqual({ result: '0x1' })
    chainId = answered
    await expect.poll(() => chain.nodes[0]?.failures()).toBeGreaterThan(0)
    expect(await chain.request(gasPrice)).toEqual({ result: '0x2' })
    chainId = '0x1'
    await expect.poll(() => chain.nodes[0]?.failures()).toBe(0)
  })

  test('behavior: a node that stands still is asked last, until it goes on', async () => {
    let isStuck = true
    let head = 7
    const advancing: Reply = (response) => {
      head += 1
      json({ result: `0x${head.toString(16)}` })(response)
    }
    const stuck: Reply = (response, method) =>
      isStuck ? json({ result: '0x7' })(response) : advancing(response, method)
    const urls = [await startNode(stuck), await startNode(advancing, '0x1', () => 20)]
    const chain = createChainNodes(1, nodesOf(urls), { probeMs: 50 })
    expect(await chain.request(request)).toEqual({ result: '0x7' })
    await expect.poll(() => chain.nodes[0]?.failures()).toBeGreaterThan(0)
    expect(await chain.request(request)).not.toEqual({ result: '0x7' })
    isStuck = false
    await expect.poll(() => chain.nodes[0]?.failures(), { timeout: 5_000 }).toBe(0)
  })

  test('behavior: a chain that became lower makes no node stand still', async () => {
    let head = 100
    const node: Reply = (response) => json({ result: `0x${head.toString(16)}` })(response)
    const nodes = nodesOf([await startNode(node), await startNode(node)])
    createChainNodes(1, nodes, { probeMs: 20 })
    await sleep(200)
    head = 90
    await sleep(200)
    expect(nodes.map((one) => one.failures())).toEqual([0, 0])
  })

  test('error: no node answers', async () => {
    const down = (response: ServerResponse) => response.writeHead(502).end()
    const urls = [await startNode(down), await startNode(down)]
    await expect(ask(urls)).rejects.toThrow(NodesUnavailableError)
  })
})

function receiptOf(parts: object = {}) {
  const hash = (digit: string) => `0x${digit.repeat(64)}`
  return { transactionHash: hash('1'), blockHash: hash('2'), logs: [], ...parts }
}

function ask(urls: string[]) {
  return createChainNodes(1, nodesOf(urls)).request(request)
}

function nodesOf(urls: string[], limits = LIMITS) {
  return urls.map((url) => createRpcNode({ chainId: 1, url, limits }))
}

function json(body: object) {
  return (response: ServerResponse) =>
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }))
}

/** A node that answers its chain id after a delay, or never if it is null, and every other call with `reply`. */
async function startNode(
  reply: Reply,
  chainId: string | (() => string | null) = '0x1',
  delayMs = () => 0,
): Promise<string> {
  const server = createServer(async (incoming, response) => {
    let text = ''
    for await (const chunk of incoming) text += String(chunk)
    const { method } = JSON.parse(text) as { method: string }
    const result = typeof chainId === 'string' ? chainId : chainId()
    if (method !== 'eth_chainId') reply(response, method)
    else if (result !== null) setTimeout(() => json({ result })(response), delayMs())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
