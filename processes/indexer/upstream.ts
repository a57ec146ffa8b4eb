import type { Logger } from '../logger.ts'

export type JsonRpcRequest = { method: string; params?: unknown }
export type JsonRpcResponse = { result: unknown } | { error: { code: number; message: string } }

/** The nodes of one chain, asked in order of health. */
export type Upstream = {
  request(request: JsonRpcRequest): Promise<JsonRpcResponse>
}

type Node = { url: string; coolUntil: number; failures: number; isVerified: boolean }

type UpstreamOptions = {
  chainId: number
  urls: string[]
  logger: Logger
  timeoutMs?: number
}

/** No node of the chain gave an answer that can be used. */
export class NodesUnavailableError extends Error {
  override name = 'NodesUnavailableError'
}

const FIRST_COOL_DOWN_MS = 250
const LONGEST_COOL_DOWN_MS = 10_000

/**
 * Asks the first healthy node and falls back to the next on a timeout, an HTTP error, anything that
 * is not JSON-RPC, or an error object. A node answers only after it has shown the right chain id.
 * Throws `NodesUnavailableError`; an error object that every node agrees on is an answer.
 */
export function createUpstream({
  chainId,
  urls,
  logger,
  timeoutMs = 5_000,
}: UpstreamOptions): Upstream {
  const nodes: Node[] = urls.map((url) => ({ url, coolUntil: 0, failures: 0, isVerified: false }))

  function coolDown(node: Node, cause: unknown) {
    const pause = Math.min(FIRST_COOL_DOWN_MS * 2 ** node.failures, LONGEST_COOL_DOWN_MS)
    node.failures += 1
    node.coolUntil = Date.now() + pause
    node.isVerified = false
    logger.warn(
      { chainId, host: new URL(node.url).host, pause, cause: String(cause) },
      'node failed',
    )
  }

  async function ask(node: Node, request: JsonRpcRequest): Promise<JsonRpcResponse> {
    if (!node.isVerified) await verifyChainId(node, chainId, timeoutMs)
    node.isVerified = true
    const response = await post(node.url, request, timeoutMs)
    node.failures = 0
    return response
  }

  return {
    async request(request) {
      const now = Date.now()
      // A cooling node is still asked last: it may be the only one that is back.
      const order = [...nodes].sort(
        (a, b) => Number(a.coolUntil > now) - Number(b.coolUntil > now) || a.failures - b.failures,
      )
      let refusal: JsonRpcResponse | undefined
      for (const node of order) {
        try {
          const response = await ask(node, request)
          if ('result' in response) return response
          refusal = response
        } catch (cause) {
          coolDown(node, cause)
        }
      }
      if (refusal) return refusal
      throw new NodesUnavailableError(`No node of chain ${chainId} answers`)
    },
  }
}

async function verifyChainId(node: Node, chainId: number, timeoutMs: number) {
  const response = await post(node.url, { method: 'eth_chainId', params: [] }, timeoutMs)
  const answered = 'result' in response ? Number(response.result) : Number.NaN
  if (answered !== chainId)
    throw new Error(`expected a node of chain ${chainId}, this one says ${answered}`)
}

async function post(
  url: string,
  request: JsonRpcRequest,
  timeoutMs: number,
): Promise<JsonRpcResponse> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...request }),
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  const body: unknown = await response.json()
  if (isErrorBody(body)) return { error: body.error }
  if (body !== null && typeof body === 'object' && 'result' in body) return { result: body.result }
  throw new Error('the answer is not JSON-RPC')
}

function isErrorBody(body: unknown): body is { error: { code: number; message: string } } {
  if (body === null || typeof body !== 'object' || !('error' in body)) return false
  const { error } = body
  return error !== null && typeof error === 'object' && 'code' in error && 'message' in error
}
