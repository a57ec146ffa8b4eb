import { WebSocket } from 'ws'
import { type BlockHeader, parseHeader } from '../../domain/chain/judgeResult.ts'
import type { RpcNode } from '../../domain/chain/rpcNode.ts'
import { repeat } from '../../domain/loop/startLoop.ts'
import { observe } from '../../domain/observation/observe.ts'
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
/** With an open socket, polls are this many times rarer. */
const WATCH_FACTOR = 4

/**
 * Offers every new head to the follower: newHeads of one websocket at a time, and polls of every node.
 * Polls give the first head at once and reveal a dead socket or a stuck node. Without sockets they are
 * the only source.
 */
export function startHeadSource(options: HeadSourceOptions): HeadSource {
  const { chainId, nodes, wsUrls, pollIntervalMs, follower, logger } = options
  const stopping = new AbortController()
  let socket: WebSocket | undefined
  /** The newest block from the socket, and the time since which a poll has a higher one. */
  let socketHead = -1n
  let aheadSince: number | null = null
  const hasSocket = () => socket?.readyState === WebSocket.OPEN

  async function poll(node: RpcNode) {
    if (node.isCooling()) return
    const askedAt = Date.now()
    const answer = await node.ask({ method: 'eth_getBlockByNumber', params: ['latest', false] })
    const block = answer.kind === 'good' ? parseHeader(answer.result) : null
    if (!block) return
    const { transactions: _, ...head } = block
    if (hasSocket() && BigInt(head.number) > socketHead) watchSocket()
    await follower.offer(head, askedAt)
  }

  /** Closes a socket that had no new head for a whole interval while the chain went on. */
  function watchSocket() {
    aheadSince ??= Date.now()
    if (Date.now() - aheadSince >= pollIntervalMs * WATCH_FACTOR) socket?.terminate()
  }

  function session(url: string): Promise<void> {
    const current = new WebSocket(url, { handshakeTimeout: 5_000 })
    socket = current
    socketHead = BigInt(follower.tip()?.number ?? -1)
    aheadSince = null
    current.on('open', () =>
      current.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}'),
    )
    current.on('message', (data) => {
      const text = String(data)
      const head = headOfMessage(text)
      if (!head) return
      observe({ kind: 'headMessage', chainId, received: text.length })
      socketHead = BigInt(head.number)
      aheadSince = null
      if (head.hash !== follower.tip()?.hash) void follower.offer(head)
    })
    current.on('error', (cause) => logger.debug({ chainId, cause: String(cause) }, 'socket failed'))
    return new Promise((resolve) => current.once('close', () => resolve()))
  }

  let attempts = 0
  const listen = () => session(wsUrls[attempts++ % wsUrls.length] ?? '')
  if (wsUrls.length > 0) void repeat({ run: listen, everyMs: RECONNECT_MS }, stopping.signal)
  for (const node of nodes) {
    const everyMs = () => (hasSocket() ? pollIntervalMs * WATCH_FACTOR : pollIntervalMs)
    // A failed request is repeated at the next poll; a node that does not answer cools down.
    void repeat({ run: () => poll(node), everyMs, onFailure: () => {} }, stopping.signal)
  }

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
    return null // Polls reveal a socket whose messages are not JSON.
  }
}
