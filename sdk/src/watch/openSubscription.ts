import { abortWith, throwIfAborted } from '../connection/abort.ts'
import type { Connection } from '../connection/connection.ts'
import { platformLacks } from '../connection/requireGlobal.ts'
import { CausewayError } from '../error/causewayError.ts'
import { answerFacts, readError } from '../error/readError.ts'
import { readErrorAnswer } from '../error/readErrorAnswer.ts'
import { readServerEvents } from './readServerEvents.ts'

/** The server sends a comment every 12 s. */
const IDLE_MS = 20_000
/** After so many comments in a row there may be news without an event: a resource that a reorganisation took away. */
const COMMENTS = 3

export type Subscription = { query: string; variables: Record<string, unknown> }

/**
 * Yields once for each event of a subscription, the first for the present state, and now and then while there is
 * none. Returns `complete` if the server has nothing more to send, `cut` if the connection ended. Throws
 * `CausewayError` for a refusal.
 */
export async function* openSubscription(
  connection: Connection,
  subscription: Subscription,
  signal: AbortSignal,
): AsyncGenerator<void, 'complete' | 'cut'> {
  const ended = new AbortController()
  const unlink = abortWith(ended, signal)
  try {
    const response = await open(connection, subscription, ended)
    if (!response.body) throw platformLacks('Response.body')
    const facts = answerFacts(response)
    let comments = 0
    for await (const { event, data } of readServerEvents(response.body, IDLE_MS)) {
      if (event === 'complete') return 'complete'
      comments = event === '' ? comments + 1 : 0
      if (comments % COMMENTS > 0) continue
      const refusal = event === '' ? null : refusalOf(data)
      if (refusal) throw readError({ error: refusal }, { ...facts, status: refusal.code ?? 500 })
      yield
    }
  } catch (error) {
    throwIfAborted(signal)
    if (error instanceof CausewayError) throw error
  } finally {
    unlink()
    ended.abort()
  }
  throwIfAborted(signal)
  return 'cut'
}

type Refusal = { code?: number }

function refusalOf(data: string): Refusal | null {
  const { errors } = JSON.parse(data) as { errors?: { extensions?: Refusal }[] }
  return errors?.[0]?.extensions ?? null
}

async function open(connection: Connection, body: Subscription, ended: AbortController) {
  const headers = new Headers({
    accept: 'text/event-stream',
    'content-type': 'application/json',
  })
  if (connection.apiKey !== null) headers.set('x-api-key', connection.apiKey)
  const url = `${connection.url}/graphql/stream`
  connection.onRequest({ operation: 'streamGraphql', method: 'POST', url, attempt: 1, headers })
  // A success has to send its headers in this time. A refusal has to send its whole body in it.
  const timer = setTimeout(() => ended.abort(), connection.timeoutMs)
  const init: RequestInit = {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    // Another host must not get the key.
    redirect: 'error',
    signal: ended.signal,
  }
  try {
    const response = await connection.fetch(url, init)
    if (!response.ok) throw await readErrorAnswer(response)
    return response
  } catch (cause) {
    if (cause instanceof CausewayError) throw cause
    const message = `no stream from ${connection.url}`
    throw new CausewayError({ reason: 'CONNECTION_FAILED', metadata: {}, message, cause })
  } finally {
    clearTimeout(timer)
  }
}
