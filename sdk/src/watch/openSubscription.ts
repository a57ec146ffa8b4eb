import type { Connection } from '../connection/connection.ts'
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
  const response = await open(connection, subscription, signal)
  if (!response.ok || !response.body) throw await readErrorAnswer(response)
  const facts = answerFacts(response)
  let comments = 0
  try {
    for await (const { event, data } of readServerEvents(response.body, IDLE_MS)) {
      if (event === 'complete') return 'complete'
      comments = event === '' ? comments + 1 : 0
      if (comments % COMMENTS > 0) continue
      const refusal = event === '' ? null : refusalOf(data)
      if (refusal) throw readError({ error: refusal }, { ...facts, status: refusal.code ?? 500 })
      yield
    }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof CausewayError) throw error
  }
  signal.throwIfAborted()
  return 'cut'
}

type Refusal = { code?: number }

function refusalOf(data: string): Refusal | null {
  const { errors } = JSON.parse(data) as { errors?: { extensions?: Refusal }[] }
  return errors?.[0]?.extensions ?? null
}

async function open(connection: Connection, body: Subscription, signal: AbortSignal) {
  const headers = new Headers({
    accept: 'text/event-stream',
    'content-type': 'application/json',
  })
  if (connection.apiKey !== null) headers.set('x-api-key', connection.apiKey)
  const url = `${connection.url}/graphql/stream`
  connection.onRequest({ operation: 'streamGraphql', method: 'POST', url, attempt: 1, headers })
  // Only the headers have to come in time.
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), connection.timeoutMs)
  const either = AbortSignal.any([signal, late.signal])
  const init = { method: 'POST', headers, body: JSON.stringify(body), signal: either }
  try {
    return await connection.fetch(url, init)
  } catch (cause) {
    signal.throwIfAborted()
    const message = `no stream from ${connection.url}`
    throw new CausewayError({ reason: 'CONNECTION_FAILED', metadata: {}, message, cause })
  } finally {
    clearTimeout(timer)
  }
}
