import { WebSocket } from 'ws'
import { postJsonRpc } from '../../domain/chain/jsonRpc.ts'
import type { ChainUrls } from './chainUrls.ts'
import { EnvironmentError } from './environmentError.ts'

const TIMEOUT_MS = 2_000
const MAX_RESPONSE_BYTES = 10_000
const CHAIN_ID_CALL = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }

/**
 * Throws `EnvironmentError` for a websocket of another chain, and for a chain all of whose RPC URLs lead to
 * other chains. A node that does not answer now may answer later, and of several nodes the wrong one is not
 * used (`domain/chain/rpcNode.ts`), so neither stops a start.
 */
export async function assertNodesOfChains(chains: Map<number, ChainUrls>) {
  const problems = await Promise.all(
    [...chains].map(async ([chainId, { rpcUrls, wsUrls }]) => {
      const [rpc, ws] = await Promise.all([
        otherChains({ variable: `RPC_URL_${chainId}`, chainId, urls: rpcUrls }, askOverHttp),
        otherChains({ variable: `WS_URL_${chainId}`, chainId, urls: wsUrls }, chainIdOverSocket),
      ])
      return [...(rpc.length === rpcUrls.length ? rpc : []), ...ws]
    }),
  )
  if (problems.flat().length > 0) throw new EnvironmentError(problems.flat())
}

type Given = { variable: string; chainId: number; urls: string[] }

/** One line for each URL that answers for another chain. It names the host alone, because a URL may have a key. */
async function otherChains(
  { variable, chainId, urls }: Given,
  ask: (url: string) => Promise<unknown>,
): Promise<string[]> {
  const lines = await Promise.all(
    urls.map(async (url, index) => {
      // A node that does not answer may do so later, and the log reports it then.
      const answered = await ask(url).catch(() => null)
      if (typeof answered !== 'string' || Number(answered) === chainId) return []
      const place = `URL ${index + 1} (${new URL(url).host})`
      return [
        `${variable}: ${place} is a node of chain ${Number(answered)}. Set one of chain ${chainId}.`,
      ]
    }),
  )
  return lines.flat()
}

async function askOverHttp(url: string): Promise<unknown> {
  const { method, params } = CHAIN_ID_CALL
  const limits = { timeoutMs: TIMEOUT_MS, maxResponseBytes: MAX_RESPONSE_BYTES }
  const response = await postJsonRpc(url, { method, params }, limits)
  return 'result' in response ? response.result : null
}

/** The answer of a websocket to `eth_chainId`; null if there is none in time. Rejects if it cannot be opened. */
export function chainIdOverSocket(url: string): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const socket = new WebSocket(url, { handshakeTimeout: TIMEOUT_MS })
  const timer = setTimeout(() => resolve(null), TIMEOUT_MS)
  socket.on('open', () => socket.send(JSON.stringify(CHAIN_ID_CALL)))
  socket.on('message', (data) => resolve(resultOf(String(data))))
  socket.on('error', reject)
  return promise.finally(() => {
    clearTimeout(timer)
    socket.terminate()
  })
}

function resultOf(text: string): unknown {
  try {
    const { result } = JSON.parse(text) as { result?: unknown }
    return result
  } catch {
    return null // The session of the index finds out whether it is a node at all.
  }
}
