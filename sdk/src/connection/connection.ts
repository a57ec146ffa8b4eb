import type { ShieldSource } from '../shield/book.ts'
import { requireGlobal } from './requireGlobal.ts'

/** An attempt of a request, for logs and traces. It never has the API key. */
export type SentRequest = {
  operation: string
  method: string
  url: string
  /** From 1. */
  attempt: number
  /** The hook may add headers, such as `traceparent`. */
  headers: Headers
}

/** How the attempt ended: `error` is absent after a success. */
export type ReceivedAnswer = Omit<SentRequest, 'headers'> & {
  durationMs: number
  /** Null where no answer came. */
  status: number | null
  requestId: string | null
  error?: unknown
}

export type RetryOptions = {
  /** Attempts in all. 1 never retries. Default 4. */
  attempts?: number
  /** The longest wait before an attempt, in ms. A longer `Retry-After` ends the retries. Default 20,000. */
  maxDelayMs?: number
}

export type ConnectionOptions = {
  /** Where the API is, such as `https://api.example.com`. */
  url: string
  /** Transit needs none. */
  apiKey?: string | undefined
  /**
   * The signed book by which flows check each transaction and permit before the wallet is asked (`@causeway/sdk/shield`).
   * Without one they sign nothing. `'trust-server'` signs what the server prepares, unchecked.
   */
  shield?: ShieldSource | 'trust-server'
  /** Default: the `fetch` of the platform. */
  fetch?: typeof fetch
  /** For one attempt. Default 15,000. */
  timeoutMs?: number
  retry?: RetryOptions
  onRequest?: (request: SentRequest) => void
  onResponse?: (answer: ReceivedAnswer) => void
}

/** The things that every function of the SDK needs to reach the API. */
export type Connection = Readonly<
  Required<Pick<ConnectionOptions, 'url' | 'timeoutMs' | 'fetch'>> & {
    apiKey: string | null
    shield: ShieldSource | 'trust-server' | null
    retry: Required<RetryOptions>
    onRequest: (request: SentRequest) => void
    onResponse: (answer: ReceivedAnswer) => void
  }
>

/** Options of a single call. */
export type CallOptions = {
  /** Ends the call, its retries and its waits; the call rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** For one attempt, instead of the connection's. */
  timeoutMs?: number | undefined
  /**
   * Of a call that changes something: with the same key, the same call within 24 hours gets its first answer again.
   * Default: a new one for each call, which its retries share.
   */
  idempotencyKey?: string | undefined
}

/**
 * A connection alone, for bundles that use few functions: `getTransitOrder(connection, { orderId })`.
 *
 * @example
 * const connection = createConnection({ url: 'http://127.0.0.1:4000' })
 */
export function createConnection(options: ConnectionOptions): Connection {
  const { apiKey = null, shield = null, timeoutMs = 15_000 } = options
  // Not by a spread: with `attempts: undefined` the retries would never end.
  const { attempts = 4, maxDelayMs = 20_000 } = options.retry ?? {}
  return {
    url: options.url.replace(/\/+$/, ''),
    apiKey,
    shield,
    timeoutMs,
    retry: { attempts, maxDelayMs },
    // Called through the global, because browsers refuse a `fetch` with another `this`.
    fetch: options.fetch ?? platformFetch,
    onRequest: options.onRequest ?? nothing,
    onResponse: options.onResponse ?? nothing,
  }
}

function platformFetch(...given: Parameters<typeof fetch>): Promise<Response> {
  requireGlobal('fetch')
  return fetch(...given)
}

function nothing() {}
