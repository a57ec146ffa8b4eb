import type { CausewayError } from '../error/causewayError.ts'
import type { RetryOptions } from './connection.ts'

const BASE_MS = 300
/** Beyond the documented 429 and 503, what proxies answer for a server that they do not reach. */
const PASSING = [429, 502, 503, 504]

/** Whether the same request may succeed a little later. */
export function isPassing({ reason, status }: CausewayError): boolean {
  if (reason === 'CONNECTION_FAILED' || reason === 'TIMED_OUT') return true
  return status !== null && PASSING.includes(status)
}

/**
 * The milliseconds to wait before another attempt, null if there is none. `Retry-After` is a lower bound; the
 * rest is chance, so that clients that failed together do not return together.
 */
export function retryDelay(
  error: CausewayError,
  attempt: number,
  { attempts, maxDelayMs }: Required<RetryOptions>,
): number | null {
  if (attempt >= attempts || !isPassing(error)) return null
  const backoff = BASE_MS * 2 ** (attempt - 1)
  const asked = (error.retryAfter ?? 0) * 1_000
  if (asked > maxDelayMs) return null
  return Math.min(asked, maxDelayMs) + Math.min(backoff, maxDelayMs) * (0.5 + Math.random() / 2)
}
