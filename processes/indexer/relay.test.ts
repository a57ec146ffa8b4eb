import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createLogger } from '../logger.ts'
import type { HoldOptions } from './askForPonder.ts'
import { type Relay, startRelay } from './relay.ts'

type Message = { id?: number; params?: { result: { hash: string } } }

const logger = createLogger('test', 'silent')
const gone = { code: -32000, message: 'block not found' }

/** A node whose head the test sets; its websocket sends what the test passes to `publish`. */
async function startNode() {
  const node = { head: headOf('a', '0'), url: '', polls: 0, sockets: 0, publish, stop }
  const server = createServer(async (incoming, response) => {
    let text = ''
    for await (const chunk of incoming) text += String(chunk)
    const { method } = JSON.parse(text) as { method: string }
    if (method === 'eth_getBlockByNumber') node.polls++
    const results: Record<string, unknown> = { eth_chainId: '0x1', eth_getBlockByNumber: node.head }
    const body = method in results ? { result: results[method] } : { error: gone }
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }))
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', () => {
    node.sockets++
  })
  function publish(head: object) {
    const message = { jsonrpc: '2.0', method: 'eth_subscription', params: { result: head } }
    for (const socket of sockets.clients) socket.send(JSON.stringify(message))
  }
  function stop() {
    for (const socket of sockets.clients) socket.terminate()
    server.closeAllConnections()
    server.close()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  node.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return node
}

describe('startRelay', () => {
  let node: Awaited<ReturnType<typeof startNode>>
  let relay: Relay
  const sockets: WebSocket[] = []

  async function start(hasSocket: boolean, pollIntervalMs: number, options: HoldOptions = {}) {
    const wsUrls = hasSocket ? [node.url.replace('http', 'ws')] : []
    const times = { pollIntervalMs, patienceMs: 90_000 }
    const finality = { finalityDepth: 30, contracts: new Set<string>() }
    const chain = { id: 1, rpcUrls: [node.url], wsUrls, ...finality, ...times }
    relay = await startRelay([chain], logger, options)
    await expect.poll(() => node.polls).toBeGreaterThan(0)
    await expect.poll(() => node.sockets).toBe(hasSocket ? 1 : 0)
    await sleep(100)
  }

  /** The hashes received since the subscription. */
  async function subscribe(): Promise<string[]> {
    const hashes: string[] = []
    const socket = new WebSocket(`${relay.url.replace('http', 'ws')}/1`)
    sockets.push(socket)
    socket.on('message', (data) => {
      const { params } = JSON.parse(String(data)) as Message
      if (params) hashes.push(params.result.hash)
    })
    await new Promise((resolve) => socket.once('open', resolve))
    socket.send('{"id":1,"method":"eth_subscribe","params":["newHeads"]}')
    await expect.poll(() => hashes.length).toBeGreaterThan(0)
    return hashes
  }

  beforeEach(async () => {
    node = await startNode()
  })
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.terminate()
    await relay.stop()
    node.stop()
  })

  test('behavior: logs of a block that is no longer on the chain are refused without a retry', async () => {
    await start(false, 10_000)
    const ask = async (filter: object) => {
      const body = JSON.stringify({ id: 7, method: 'eth_getLogs', params: [filter] })
      return (await fetch(`${relay.url}/1/0`, { method: 'POST', body })).json()
    }
    const reply = { jsonrpc: '2.0', id: 7 }
    expect(await ask({ blockHash: hex('f') })).toMatchObject({ ...reply, error: { code: -32601 } })
    expect(await ask({ fromBlock: '0x1' })).toEqual({ ...reply, error: gone })
  })

  test('behavior: a subscription starts with the current head', async () => {
    await start(false, 10_000)
    expect(await subscribe()).toEqual([hex('a')])
  })

  test('behavior: heads come by websocket, and by polling alone', async () => {
    await start(true, 10_000)
    const received = await subscribe()
    node.publish(headOf('b', 'a', 2))
    await expect.poll(() => received).toEqual([hex('a'), hex('b')])
    await relay.stop()

    node.head = headOf('a', '0')
    node.sockets = 0
    await start(false, 50)
    const polled = await subscribe()
    node.head = headOf('c', 'a', 2)
    await expect.poll(() => polled).toContain(hex('c'))
  })

  test('error: messages and frames that are none end nothing', async () => {
    await start(false, 10_000)
    for (const path of ['/1', '/2']) {
      const socket = new WebSocket(`${relay.url.replace('http', 'ws')}${path}`)
      sockets.push(socket)
      const closed = new Promise((resolve) => socket.once('close', resolve))
      await new Promise((resolve) => socket.once('open', resolve))
      for (const message of ['no JSON', 'null', '1', '[]']) socket.send(message)
      // An opcode that RFC 6455 does not have, past the client's own checks.
      Reflect.get(socket, '_socket').write(Buffer.from([0x8f, 0x80, 0, 0, 0, 0]))
      await closed
    }
    expect(await subscribe()).toEqual([hex('a')])
  })

  test('behavior: a reorganised head is sent again', async () => {
    await start(true, 10_000)
    const received = await subscribe()
    node.head = headOf('b', 'e')
    node.publish(node.head)
    await expect.poll(() => received).toEqual([hex('a'), hex('b'), hex('b')])
  })

  test('behavior: while blocks are requested by number, the tip is repeated', async () => {
    await start(true, 10_000)
    const received = await subscribe()
    await sleep(300)
    expect(received).toEqual([hex('a')])
    const body = JSON.stringify({ id: 7, method: 'eth_getBlockByNumber', params: ['0x1', true] })
    // It is answered late, or never: the relay stops first.
    void fetch(`${relay.url}/1/0`, { method: 'POST', body }).catch(() => {})
    await expect.poll(() => received.length).toBeGreaterThan(3)
    expect(new Set(received)).toEqual(new Set([hex('a')]))
  })

  test('behavior: a silent socket is noticed, its heads come by polling, and it is opened again', async () => {
    await start(true, 50)
    const received = await subscribe()
    node.head = headOf('b', 'a', 2)
    await expect.poll(() => received).toContain(hex('b'))
    await expect.poll(() => node.sockets).toBe(2)
  })

  test('error: no node answers', async () => {
    await start(false, 10_000, { holdMs: 500 })
    node.stop()
    const body = JSON.stringify({ id: 7, method: 'eth_blockNumber', params: [] })
    expect((await fetch(`${relay.url}/1/0`, { method: 'POST', body })).status).toBe(503)
    expect((await fetch(`${relay.url}/2/0`, { method: 'POST', body })).status).toBe(404)
  })
})

/** A block made long ago. */
function headOf(hash: string, parent: string, number = 1) {
  return {
    hash: hex(hash),
    parentHash: hex(parent),
    number: `0x${number.toString(16)}`,
    timestamp: '0x1',
    logsBloom: '0x00',
  }
}

function hex(digits: string) {
  return `0x${digits.padStart(64, '0')}`
}
