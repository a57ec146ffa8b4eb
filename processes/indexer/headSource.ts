import { WebSocket } from 'ws'
import { type BlockHeader, parseHeader } from '../../domain/chain/judgeResult.ts'
import type { RpcNode } from '../../domain/chain/rpcNode.ts'
import { pause } from '../../domain/watch/pause.ts'
import type { Logger } from '../logger.ts'
import type { ChainFollower } from './chainFollower.ts'

type HeadSource = { stop(): void }

type HeadSourceOptions = {
  chainId: number
  nodes: RpcNode[]
  wsUrls: string[]
  pollIntervalMs: number
  follower: Pick<ChainFollower, 'offer' | 'tip'>
  logger: Logger
}

const RECONNECT_MS = 500
/** Beside a socket the polls only watch. */
const WATCH_FACTOR = 4

/**
 * Offers every head that can be heard of: by newHeads from one websocket at a time, and by polling
 * every node. The polls give the first head at once, notice a socket that died silently or a node
 * that stands still, and are the only source without sockets.
 */
export function startHeadSource(options: HeadSourceOptions): HeadSource {
  const { chainId, nodes, wsUrls, pollIntervalMs, follower, logger } = options
  const stopping = new AbortController()
  let socket: WebSocket | undefined
  /** The highest block that the socket told of, and since when a poll knows of a higher one. */
  let told = -1n
  let aheadSince: number | null = null
  const hasSocket = () => socket?.readyState === WebSocket.OPEN

  async function poll(node: RpcNode) {
    while (!stopping.signal.aborted) {
      // What failed is asked again at the next poll; a node that does not answer cools.
      if (!node.isCooling()) await pollOnce(node).catch(() => {})
      await pause(hasSocket() ? pollIntervalMs * WATCH_FACTOR : pollIntervalMs, stopping.signal)
    }
  }

  async function pollOnce(node: RpcNode) {
    const askedAt = Date.now()
    const answer = await node.ask({ method: 'eth_getBlockByNumber', params: ['latest', false] })
    const block = answer.kind === 'good' ? parseHeader(answer.result) : null
    if (!block) return
    const { transactions: _, ...head } = block
    if (hasSocket() && BigInt(head.number) > told) watchSocket()
    await follower.offer(head, askedAt)
  }

  /** A socket that tells nothing new for a whole interval in which the chain went on is dead. */
  function watchSocket() {
    aheadSince ??= Date.now()
    if (Date.now() - aheadSince >= pollIntervalMs * WATCH_FACTOR) socket?.terminate()
  }

  async function listen() {
    for (let attempt = 0; !stopping.signal.aborted; attempt += 1) {
      await session(wsUrls[attempt % wsUrls.length] ?? '')
      await pause(RECONNECT_MS, stopping.signal)
    }
  }

  function session(url: string): Promise<void> {
    const current = new WebSocket(url, { handshakeTimeout: 5_000 })
    socket = current
    told = BigInt(follower.tip()?.number ?? -1)
    aheadSince = null
    current.on('open', () =>
      current.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}'),
    )
    current.on('message', (data) => {
      const head = headOfMessage(String(data))
      if (!head) return
      told = BigInt(head.number)
      aheadSince = null
      if (head.hash !== follower.tip()?.hash) void follower.offer(head)
    })
    current.on('error', (cause) => logger.debug({ chainId, cause: String(cause) }, 'socket failed'))
    return new Promise((resolve) => current.once('close', () => resolve()))
  }

  if (wsUrls.length > 0) void listen()
  for (const node of nodes) void poll(node)

  return {
    stop() {
      stopping.abort()
      socket?.terminate()
    },
  }
}

function headOfMessage(text: string): BlockHeader | null {
  try {
    const message = JSON.parse(text) as { method?: unknown; params?: { result?: unknown } }
    return message.method === 'eth_subscription' ? parseHeader(message.params?.result) : null
  } catch {
    return null // A socket that talks garbage is seen through by the polls.
  }
}
