import { WebSocket } from 'ws'
import type { Logger } from '../logger.ts'
import type { Upstream } from './upstream.ts'

type BlockHeader = {
  hash: `0x${string}`
  parentHash: `0x${string}`
  number: `0x${string}`
  timestamp: `0x${string}`
} & Record<string, unknown>

/** The newest head of one chain, told to every listener as it changes. */
export type HeadFeed = {
  latest(): BlockHeader | null
  listen(listener: (head: BlockHeader) => void): () => void
  stop(): void
}

type HeadFeedOptions = {
  chainId: number
  upstream: Upstream
  wsUrls: string[]
  pollIntervalMs: number
  logger: Logger
}

/** Ponder takes a reorganised head only as the sign of it and ingests it when told again. */
const REORG_REPEATS_MS = [40, 250]
const RECONNECT_MS = 500

/**
 * Follows newHeads over the first websocket that works and polls beside it, slower: the poll gives
 * the head at once, notices a socket that died silently, and is the only source without sockets.
 */
export function createHeadFeed(options: HeadFeedOptions): HeadFeed {
  const { chainId, upstream, wsUrls, pollIntervalMs, logger } = options
  const listeners = new Set<(head: BlockHeader) => void>()
  const timers = new Set<NodeJS.Timeout>()
  let latest: BlockHeader | null = null
  let socket: WebSocket | undefined
  let isStopped = false
  let attempt = 0

  function later(run: () => void, delayMs: number) {
    const timer = setTimeout(() => {
      timers.delete(timer)
      if (!isStopped) run()
    }, delayMs)
    timers.add(timer)
  }

  function emit(head: BlockHeader) {
    for (const listener of listeners) listener(head)
  }

  function accept(head: BlockHeader) {
    const isExtension = latest === null || head.parentHash === latest.hash
    latest = head
    emit(head)
    if (isExtension) return
    for (const delay of REORG_REPEATS_MS) later(() => latest === head && emit(head), delay)
  }

  async function poll() {
    try {
      const response = await upstream.request({
        method: 'eth_getBlockByNumber',
        params: ['latest', false],
      })
      if ('result' in response && response.result) {
        const { transactions: _, ...head } = response.result as BlockHeader
        const isMissed = latest !== null && head.hash !== latest.hash
        // Told again although unchanged: Ponder takes at most 50 missing blocks per head, and on a
        // quiet chain no other head comes to make it go on.
        if (head.hash === latest?.hash) emit(latest)
        else accept(head as BlockHeader)
        // The socket had a whole interval to tell of this head.
        if (isMissed && socket?.readyState === WebSocket.OPEN && isStale(head as BlockHeader))
          socket.terminate()
      }
    } catch (cause) {
      logger.debug({ chainId, cause: String(cause) }, 'head poll failed')
    }
    later(poll, socket?.readyState === WebSocket.OPEN ? pollIntervalMs * 4 : pollIntervalMs)
  }

  function isStale(head: BlockHeader): boolean {
    return Date.now() / 1000 - Number(head.timestamp) > (pollIntervalMs * 4) / 1000
  }

  function connect() {
    const url = wsUrls[attempt++ % wsUrls.length]
    if (url === undefined) return
    socket = new WebSocket(url, { handshakeTimeout: 5_000 })
    socket.on('open', () =>
      socket?.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}'),
    )
    socket.on('message', (data) => {
      const head = parseHead(String(data))
      if (head && head.hash !== latest?.hash) accept(head)
    })
    socket.on('error', (cause) => logger.debug({ chainId, cause: String(cause) }, 'socket failed'))
    socket.on('close', () => later(connect, RECONNECT_MS))
  }

  connect()
  void poll()

  return {
    latest: () => latest,
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stop() {
      isStopped = true
      for (const timer of timers) clearTimeout(timer)
      socket?.terminate()
    },
  }
}

function parseHead(text: string): BlockHeader | null {
  try {
    const message = JSON.parse(text) as { method?: string; params?: { result?: BlockHeader } }
    const head = message.params?.result
    return message.method === 'eth_subscription' && head?.hash ? head : null
  } catch {
    return null // A socket that talks garbage is seen through by the poll.
  }
}
