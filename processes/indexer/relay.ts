import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { createChainNodes } from '../../domain/chain/chainNodes.ts'
import type { JsonRpcRequest } from '../../domain/chain/judgeResult.ts'
import { createRpcNode, type NodeFailure, type NodeLimits } from '../../domain/chain/rpcNode.ts'
import type { Logger } from '../logger.ts'
import { createNodeFailureLog } from '../nodeFailureLog.ts'
import { askForPonder, type HoldOptions, type PonderLine } from './askForPonder.ts'
import { createBlockTransactions } from './blockTransactions.ts'
import { createChainFollower } from './chainFollower.ts'
import { createHeadPace, type HeadPace } from './headPace.ts'
import { startHeadSource } from './headSource.ts'
import type { PonderStart } from './ponderStart.ts'
import { createTipRepeater, type TipRepeater } from './tipRepeater.ts'

export type RelayChain = {
  id: number
  finalityDepth: number
  /** The contracts whose logs are indexed; lower case. */
  contracts: ReadonlySet<string>
  rpcUrls: string[]
  wsUrls: string[]
  pollIntervalMs: number
  /** See `createChainFollower`. */
  patienceMs: number
}

export type Relay = {
  url: string
  /** By chain id: the chain as Ponder receives it, and its nodes. */
  lines: Map<number, RelayLine>
  stop(): Promise<void>
}

/** Ponder requests logs of wide block ranges, which take long. */
const LIMITS: NodeLimits = {
  timeoutMs: 2_500,
  rangeTimeoutMs: 10_000,
  maxResponseBytes: 256 * 1024 * 1024,
}

export type RelayLine = PonderLine & {
  pace: HeadPace
  /** What the launcher prepared for Ponder's start; null once Ponder waits for heads of the chain. */
  start: PonderStart | null
}

type OpenLine = RelayLine & { repeater: TipRepeater; stop(): void }

/**
 * A loopback JSON-RPC server between Ponder and the nodes: `/<chainId>/<alias>` over HTTP,
 * `/<chainId>` over websocket with newHeads that start with the current head. docs/architecture.md has
 * the reasons.
 */
export async function startRelay(
  chains: RelayChain[],
  logger: Logger,
  options: HoldOptions = {},
): Promise<Relay> {
  const lines = new Map<number, OpenLine>()
  const onNodeFailure = createNodeFailureLog(logger)
  for (const chain of chains) {
    const { id: chainId, finalityDepth, contracts, rpcUrls, wsUrls } = chain
    const { pollIntervalMs, patienceMs } = chain
    const onFailure = (failure: NodeFailure) => onNodeFailure(chainId, failure)
    const nodes = rpcUrls.map((url) => createRpcNode({ chainId, url, limits: LIMITS, onFailure }))
    const chainNodes = createChainNodes(chainId, nodes)
    const follower = createChainFollower({ chainId, chainNodes, patienceMs, logger })
    const { stop } = startHeadSource({ chainId, nodes, wsUrls, pollIntervalMs, follower, logger })
    lines.set(chainId, {
      finalityDepth,
      contracts,
      chainNodes,
      follower,
      transactions: createBlockTransactions(chainNodes),
      logger: logger.child({ chainId }),
      requests: 0,
      doubts: new Map(),
      unexplained: 0,
      pace: createHeadPace(follower),
      start: null,
      repeater: createTipRepeater(follower),
      stop,
    })
  }
  const lineOf = (url = '') => lines.get(Number(url.split('/')[1]))

  const server = createServer((request, response) => {
    const line = lineOf(request.url)
    if (line) void answer(line, request, response, options)
    else response.writeHead(404).end()
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket, request) => {
    // First, and on every socket: an error that nobody hears ends the process.
    socket.on('error', () => socket.terminate())
    const line = lineOf(request.url)
    if (!line) return socket.close()
    let stopListening = () => {}
    socket.on('message', (data) => {
      const { id, method } = readMessage(String(data))
      if (method !== 'eth_subscribe') return
      stopListening()
      const send = (head: unknown) =>
        socket.send(
          JSON.stringify({
            jsonrpc: '2.0',
            method: 'eth_subscription',
            params: { subscription: '0x1', result: head },
          }),
        )
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: '0x1' }))
      line.start = null
      const tip = line.follower.tip()
      if (tip) send(tip)
      stopListening = line.pace.follow(send)
    })
    socket.on('close', () => stopListening())
  })

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lines,
    async stop() {
      for (const { stop, repeater, pace } of lines.values()) {
        stop()
        repeater.stop()
        pace.stop()
      }
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The fields of a message; none if it is no JSON object. Any program of this machine and any web page can send one. */
function readMessage(text: string): Partial<JsonRpcRequest & { id: unknown }> {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

async function answer(
  line: OpenLine,
  request: IncomingMessage,
  response: ServerResponse,
  options: HoldOptions,
) {
  let id: unknown = null
  line.requests += 1
  try {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer) // Without an encoding it is one.
    const body = JSON.parse(Buffer.concat(chunks).toString()) as JsonRpcRequest & { id: unknown }
    id = body.id
    if (body.method === 'eth_getBlockByNumber') line.repeater.onBlockRequest()
    send(response, 200, { id, ...(await answerPonder(line, body, options)) })
    line.requests += 1
  } catch (cause) {
    // Ponder retries on a 503, and the nodes may be back by then.
    send(response, 503, { id, error: { code: -32000, message: String(cause) } })
  }
}

async function answerPonder(line: RelayLine, request: JsonRpcRequest, options: HoldOptions) {
  const { start } = line
  start?.note(request)
  const known = start?.answer(request)
  if (known) return known
  try {
    const response = await askForPonder(line, request, options)
    start?.noteAnswer(true)
    return response
  } catch (error) {
    start?.noteAnswer(false)
    throw error
  }
}

function send(response: ServerResponse, status: number, body: object) {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', ...body }))
}
