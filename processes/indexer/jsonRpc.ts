import type { JsonRpcRequest } from '../../domain/chain/judgeResult.ts'

export type JsonRpcError = { code: number; message: string }
export type JsonRpcResponse = { result: unknown } | { error: JsonRpcError }

/** One call over HTTP. Throws on a timeout, an HTTP error, and what is not JSON-RPC. */
export async function postJsonRpc(
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

function isErrorBody(body: unknown): body is { error: JsonRpcError } {
  if (body === null || typeof body !== 'object' || !('error' in body)) return false
  const { error } = body
  return error !== null && typeof error === 'object' && 'code' in error && 'message' in error
}

/** The last block of a request for a range of logs; null for every other request. */
export function lastBlockOfRange({ method, params }: JsonRpcRequest): bigint | null {
  const [filter] = Array.isArray(params) ? params : []
  if (method !== 'eth_getLogs' || filter === null || typeof filter !== 'object') return null
  const { toBlock } = filter as { toBlock?: unknown }
  return typeof toBlock === 'string' && toBlock.startsWith('0x') ? BigInt(toBlock) : null
}
