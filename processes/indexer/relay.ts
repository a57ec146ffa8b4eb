import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import type { Logger } from '../logger.ts'
import { createHeadFeed, type HeadFeed } from './headFeed.ts'
import {
  createUpstream,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type Upstream,
} from './upstream.ts'

export type RelayChain = { id: number; rpcUrls: string[]; wsUrls: string[]; pollIntervalMs: number }
export type Relay = { url: string; stop(): Promise<void> }

type ChainLine = { upstream: Upstream; heads: HeadFeed }

/** JSON-RPC's "method not found": the one code on which Ponder does not retry for a minute. */
const DO_NOT_RETRY = -32601

/**
 * A loopback JSON-RPC server between Ponder and the nodes: `/<chainId>/<alias>` over HTTP with
 * fallback over the chain's nodes, `/<chainId>` over websocket with newHeads that start with the
 * present head. Why each of these is needed: docs/index.md.
 */
export async function startRelay(chains: RelayChain[], logger: Logger): Promise<Relay> {
  const lines = new Map<number, ChainLine>()
  for (const { id, rpcUrls, wsUrls, pollIntervalMs } of chains) {
    const upstream = createUpstream({ chainId: id, urls: rpcUrls, logger })
    const heads = createHeadFeed({ chainId: id, upstream, wsUrls, pollIntervalMs, logger })
    lines.set(id, { upstream, heads })
  }
  const lineOf = (url = '') => lines.get(Number(url.split('/')[1]))

  const server = createServer((request, response) => {
    const line = lineOf(request.url)
    if (line) void answer(line.upstream, request, response)
    else response.writeHead(404).end()
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket, request) => {
    const line = lineOf(request.url)
    if (!line) return socket.close()
    let stopListening = () => {}
    socket.on('message', (data) => {
      const { id, method } = JSON.parse(String(data)) as { id: number; method: string }
      if (method !== 'eth_subscribe') return
      const send = (head: unknown) =>
        socket.send(
          JSON.stringify({
            jsonrpc: '2.0',
            method: 'eth_subscription',
            params: { subscription: '0x1', result: head },
          }),
        )
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: '0x1' }))
      const present = line.heads.latest()
      if (present) send(present)
      stopListening = line.heads.listen(send)
    })
    socket.on('close', () => stopListening())
    socket.on('error', () => socket.terminate())
  })

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      for (const { heads } of lines.values()) heads.stop()
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(upstream: Upstream, request: IncomingMessage, response: ServerResponse) {
  let id: unknown = null
  try {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString()) as JsonRpcRequest & { id: unknown }
    id = body.id
    const reply = await upstream.request({ method: body.method, params: body.params ?? [] })
    send(response, 200, { id, ...withoutRetries(body, reply) })
  } catch (cause) {
    // 503 makes Ponder try again: the nodes may be back within its retries.
    send(response, 503, { id, error: { code: -32000, message: String(cause) } })
  }
}

/**
 * A block that was reorganised away between its notice and the reading of its logs will never be
 * found again; Ponder would ask for it for 64 s before it looks at the next head.
 */
function withoutRetries(request: JsonRpcRequest, response: JsonRpcResponse): JsonRpcResponse {
  if (!('error' in response) || request.method !== 'eth_getLogs') return response
  const [filter] = Array.isArray(request.params) ? request.params : []
  const isByHash = filter !== null && typeof filter === 'object' && 'blockHash' in filter
  return isByHash ? { error: { ...response.error, code: DO_NOT_RETRY } } : response
}

function send(response: ServerResponse, status: number, body: object) {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', ...body }))
}
