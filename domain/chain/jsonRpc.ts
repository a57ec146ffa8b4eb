import type { BlockRange } from './inParts.ts'
import { isHex, type JsonRpcRequest } from './judgeResult.ts'

/** The `data` of a revert: its bytes as hex, which some nodes wrap. */
export type JsonRpcError = { code: number; message: string; data?: unknown }
export type JsonRpcResponse = { result: unknown } | { error: JsonRpcError }

/** Bytes of the bodies of one call, as they are when nothing is compressed. */
export type Transfer = { sent: number; received: number }

export type CallLimits = { timeoutMs: number; maxResponseBytes: number }

const TOO_LARGE = 413
const INVALID_REQUEST = -32600
/** HTTP statuses of the provider itself: no key, too many requests, no upstream. */
const PROVIDER_STATUSES = new Set([401, 403, 408, 429, 502, 503, 504])

/**
 * One call over HTTP. Throws on a time-out, an HTTP error without a JSON-RPC error, and a response that is
 * too long or not JSON-RPC. Counts in `transfer` what it sends and receives, also where it throws.
 */
export async function postJsonRpc(
  url: string,
  request: JsonRpcRequest,
  { timeoutMs, maxResponseBytes }: CallLimits,
  transfer: Transfer = { sent: 0, received: 0 },
): Promise<JsonRpcResponse> {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, ...request })
  transfer.sent += Buffer.byteLength(text)
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: text,
    // It could lead to an address of the inner network.
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const body = parse(await readText(response, maxResponseBytes, transfer))
  const error = isErrorBody(body) ? body.error : null
  // Many nodes send a JSON-RPC error with HTTP 400 or 500. With a provider's status only a revert is one.
  if (error && (isRevert(error) || !PROVIDER_STATUSES.has(response.status))) return { error }
  // It is about this request alone: a smaller one may be taken.
  if (response.status === TOO_LARGE)
    return { error: { code: INVALID_REQUEST, message: 'HTTP 413: the request is too large' } }
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  if (body !== null && typeof body === 'object' && 'result' in body) return { result: body.result }
  throw new Error('the response is not JSON-RPC')
}

/** Whether the chain itself refused the call, so that every node would answer the same. */
export function isRevert({ code, message }: JsonRpcError): boolean {
  return code === 3 || /execution reverted|gas required exceeds allowance/i.test(message)
}

/** The error of a failed request with its cause, where `fetch` puts the reason. */
export function describeRequestError(error: unknown): string {
  const isNested = error instanceof Error && error.cause !== undefined
  return isNested ? `${String(error)} (${String(error.cause)})` : String(error)
}

async function readText(response: Response, maxBytes: number, transfer: Transfer): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of response.body ?? []) {
    transfer.received += chunk.byteLength
    if (transfer.received > maxBytes)
      throw new Error(`the response is longer than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own message quotes the response, which may contain the node's key.
    return null
  }
}

function isErrorBody(body: unknown): body is { error: JsonRpcError } {
  if (body === null || typeof body !== 'object' || !('error' in body)) return false
  const { error } = body
  return error !== null && typeof error === 'object' && 'code' in error && 'message' in error
}

/** The blocks of a request for a range of logs; null for every other request. */
export function rangeOfLogs({ method, params }: JsonRpcRequest): BlockRange | null {
  const [filter] = Array.isArray(params) ? params : []
  if (method !== 'eth_getLogs' || filter === null || typeof filter !== 'object') return null
  const { fromBlock, toBlock } = filter as { fromBlock?: unknown; toBlock?: unknown }
  if (!isHex(fromBlock) || !isHex(toBlock)) return null
  return { fromBlock: BigInt(fromBlock), toBlock: BigInt(toBlock) }
}
