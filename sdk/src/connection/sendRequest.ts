import { CausewayError } from '../error/causewayError.ts'
import { answerFacts, readError } from '../error/readError.ts'
import { abortWith, throwIfAborted } from './abort.ts'
import type { CallOptions, Connection } from './connection.ts'
import { decodeAnswer } from './decodeAnswer.ts'
import { encodeRequest } from './encodeRequest.ts'
import type { Answer, Operation, OperationId } from './operation.ts'
import { pause } from './pause.ts'
import { requireGlobal } from './requireGlobal.ts'
import { retryDelay } from './retryDelay.ts'

export type Call = {
  params?: object | undefined
  options?: CallOptions | undefined
  /** The `ETag` that is known already: an unchanged answer then has no data. */
  etag?: string | null
}

export type Answered<Data> = {
  /** Null if the answer is the one that the given `etag` names. */
  data: Data | null
  etag: string | null
}

/**
 * Sends a request, again where that may help, and decodes its answer. All attempts of a change have one
 * `Idempotency-Key`, so that it happens once. Throws `CausewayError`.
 */
export async function sendRequest<Id extends OperationId>(
  connection: Connection,
  operation: Operation<Id>,
  call: Call = {},
): Promise<Answered<Answer<Id>>> {
  const { options: { signal, idempotencyKey } = {} } = call
  const key = operation.method === 'GET' ? null : (idempotencyKey ?? randomKey())
  for (let attempt = 1; ; attempt++) {
    throwIfAborted(signal)
    try {
      return await attemptRequest(connection, operation, { ...call, key, attempt })
    } catch (error) {
      throwIfAborted(signal)
      const delay =
        error instanceof CausewayError ? retryDelay(error, attempt, connection.retry) : null
      if (delay === null) throw error
      await pause(delay, signal)
    }
  }
}

/** Not `randomUUID`, which browsers have on secure pages only. */
function randomKey(): string {
  requireGlobal('crypto')
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function attemptRequest<Id extends OperationId>(
  connection: Connection,
  operation: Operation<Id>,
  { params = {}, options = {}, etag, key, attempt }: Call & { key: string | null; attempt: number },
): Promise<Answered<Answer<Id>>> {
  const { method, id, shape, alsoAnswers } = operation
  // Cast, because TypeScript sees that it is an object only once the operation is known.
  const { url, body } = encodeRequest(connection.url, operation, params as Record<string, unknown>)
  const headers = new Headers({ accept: 'application/json' })
  if (connection.apiKey !== null) headers.set('x-api-key', connection.apiKey)
  if (body !== null) headers.set('content-type', 'application/json')
  if (key !== null) headers.set('idempotency-key', key)
  if (etag) headers.set('if-none-match', etag)
  const told = { operation: id as string, method, url, attempt }
  connection.onRequest({ ...told, headers })
  const startedAt = performance.now()
  const ended = { status: null as number | null, requestId: null as string | null }
  const report = (error?: unknown) =>
    connection.onResponse({
      ...told,
      ...ended,
      durationMs: performance.now() - startedAt,
      ...(error === undefined ? {} : { error }),
    })
  try {
    const { facts, text, newEtag } = await exchange(connection, options, {
      url,
      init: { method, headers, body },
    })
    Object.assign(ended, { status: facts.status, requestId: facts.requestId })
    const { status } = facts
    const isUnchanged = status === 304
    if (!isUnchanged && (status < 200 || status > 299)) {
      const error = readError(parsed(text), facts)
      // The report of a failed health check has an error beside its checks.
      if (status !== alsoAnswers || error.reason !== 'UNHEALTHY') throw error
    }
    // Cast, because the shape is that of the operation's answer.
    const data = isUnchanged ? null : (decoded(text, shape, facts) as Answer<Id>)
    report()
    return { data, etag: newEtag }
  } catch (error) {
    report(error)
    throw error
  }
}

type Sent = { url: string; init: RequestInit }

/** The answer with its whole body, within the time of one attempt. */
async function exchange(connection: Connection, options: CallOptions, { url, init }: Sent) {
  const { timeoutMs = connection.timeoutMs, signal } = options
  const ended = new AbortController()
  const unlink = abortWith(ended, signal)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    ended.abort()
  }, timeoutMs)
  try {
    // Another host must not get the key.
    const sent: RequestInit = { ...init, redirect: 'error', signal: ended.signal }
    const response = await connection.fetch(url, sent)
    const text = await response.text()
    return { facts: answerFacts(response), text, newEtag: response.headers.get('etag') }
  } catch (cause) {
    throwIfAborted(signal)
    if (cause instanceof CausewayError) throw cause
    if (isLate)
      throw new CausewayError({
        reason: 'TIMED_OUT',
        metadata: { timeoutMs },
        message: `no answer within ${timeoutMs} ms`,
        cause,
      })
    const message = `no answer from ${connection.url}`
    throw new CausewayError({ reason: 'CONNECTION_FAILED', metadata: {}, message, cause })
  } finally {
    clearTimeout(timer)
    unlink()
  }
}

function decoded(text: string, shape: Operation['shape'], facts: { status: number }) {
  try {
    return decodeAnswer(JSON.parse(text), shape)
  } catch (cause) {
    const message = 'the answer is not one of this API'
    throw new CausewayError({
      reason: 'UNREADABLE_ANSWER',
      metadata: {},
      message,
      ...facts,
      cause,
    })
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
