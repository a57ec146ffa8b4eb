import { abortWith, throwIfAborted } from '../connection/abort.ts'
import type { CallOptions, Connection } from '../connection/connection.ts'
import type { Answer, Operation, OperationId } from '../connection/operation.ts'
import { pause } from '../connection/pause.ts'
import { canStream } from '../connection/requireGlobal.ts'
import { isPassing } from '../connection/retryDelay.ts'
import { type Answered, sendRequest } from '../connection/sendRequest.ts'
import { CausewayError } from '../error/causewayError.ts'
import { openSubscription, type Subscription } from './openSubscription.ts'

/** The longest that a request is held for news. The API allows 30 s. */
const HOLD_SECONDS = 25
/** A way that fails this often in a row gives place to the next one. */
const FAILURES = 3
/** A stream that ends sooner has failed: some proxies cut every stream. */
const STEADY_MS = 5_000
/** After so many reads, a way that is not the best gives place to the best again. */
const READS = 20
const POLL_MS = 2_000
const LONGEST_MS = 15_000

type Read<State> = (
  connection: Connection,
  call: { etag: string | null; waitSeconds: number },
  options: CallOptions,
) => Promise<Answered<State>>

/** How a resource is watched. */
export type Watched<State> = {
  subscription: Subscription
  read: Read<State>
  /** Whether the state can never change again. */
  isEnd: (state: State) => boolean
  /** Failures after which the resource may still appear. */
  absent: readonly string[]
}

/** The read by an operation whose answer has the resource under `key`, and which can be held until there is news. */
export function readBy<Id extends OperationId, Key extends keyof Answer<Id>>(
  operation: Operation<Id>,
  params: object,
  key: Key,
): Read<Answer<Id>[Key]> {
  return async (connection, { etag, waitSeconds }, options) => {
    const held = waitSeconds > 0 ? { waitSeconds } : {}
    const call = { params: { ...params, ...held }, options, etag }
    const answer = await sendRequest(connection, operation, call)
    return { data: answer.data?.[key] ?? null, etag: answer.etag }
  }
}

export type WatchOptions = {
  signal?: AbortSignal | undefined
  /** The ways to hear of news, best first. Default: `['stream', 'hold', 'poll']`, as far as the platform has them. */
  transports?: readonly Transport[]
}

export type Transport = 'stream' | 'hold' | 'poll'

/**
 * The states of a resource, each as it is read after news of it, until it can never change again; null once it is
 * known no more, because a reorganisation took it away. It goes on after lost connections, restarts and refusals that
 * pass. A stream only gives the news: one kind of read makes every state, so no two ways can contradict each other.
 */
export async function* watchStates<State>(
  connection: Connection,
  watched: Watched<State>,
  options: WatchOptions = {},
): AsyncGenerator<State | null> {
  const ended = new AbortController()
  const { signal } = ended
  const unlink = abortWith(ended, options.signal)
  const source: Source<State> = { connection, watched, signal, etag: null }
  const ways = waysOf(options.transports)
  let way = 0
  let failures = 0
  let isKnown = false
  try {
    for (;;) {
      const transport = ways[way] ?? 'poll'
      const reads = way === 0 ? Number.POSITIVE_INFINITY : READS
      const startedAt = performance.now()
      try {
        for await (const news of statesBy(transport, source, reads)) {
          const isSteady = performance.now() - startedAt > STEADY_MS
          if (transport !== 'stream' || isSteady) failures = 0
          if (news === null || (news.state === null && !isKnown)) continue
          isKnown = news.state !== null
          yield news.state
          if (news.state !== null && watched.isEnd(news.state)) return
        }
        // A stream was cut, or a lesser way has served for long enough.
        if (way === 0) failures++
        else way = 0
        await pause(jitter(100 * 2 ** failures), signal)
      } catch (error) {
        throwIfAborted(options.signal)
        if (!(error instanceof CausewayError)) throw error
        const isRefused = !isPassing(error)
        if (isRefused && transport !== 'stream') throw error
        failures += isRefused ? FAILURES : 1
        await pause(isRefused ? 0 : waitAfter(error, failures), signal)
      }
      if (failures < FAILURES) continue
      failures = 0
      way = (way + 1) % ways.length
    }
  } finally {
    unlink()
    ended.abort()
  }
}

function waysOf(wanted: readonly Transport[] = ['stream', 'hold', 'poll']): Transport[] {
  return wanted.filter((transport) => transport !== 'stream' || canStream())
}

type Source<State> = {
  connection: Connection
  watched: Watched<State>
  signal: AbortSignal
  /** The ETag of the state that was read last. */
  etag: string | null
}

/** A state that was read; its `state` is null where there is no such resource. */
type News<State> = { state: State | null }

/** Yields null where nothing has changed. */
async function* statesBy<State>(
  transport: Transport,
  source: Source<State>,
  reads: number,
): AsyncGenerator<News<State> | null> {
  const { connection, signal, watched } = source
  if (transport === 'stream') {
    // The present state does not wait for the stream, which a proxy may hold back.
    yield await readState(source, 0)
    for await (const _ of openSubscription(connection, watched.subscription, signal))
      yield await readState(source, 0)
    yield await readState(source, 0)
    return
  }
  for (let read = 0; read < reads; read++) {
    yield await readState(source, transport === 'hold' ? HOLD_SECONDS : 0)
    await pause(jitter(transport === 'hold' ? 100 : POLL_MS), signal)
  }
}

async function readState<State>(
  source: Source<State>,
  waitSeconds: number,
): Promise<News<State> | null> {
  const { connection, watched, signal } = source
  const timeoutMs = connection.timeoutMs + waitSeconds * 1_000
  try {
    const call = { etag: source.etag, waitSeconds }
    const { data, etag } = await watched.read(connection, call, { signal, timeoutMs })
    source.etag = etag
    return data === null ? null : { state: data }
  } catch (error) {
    if (!(error instanceof CausewayError && watched.absent.includes(error.reason))) throw error
    source.etag = null
    return { state: null }
  }
}

function waitAfter({ retryAfter }: CausewayError, failures: number): number {
  const backoff = jitter(Math.min(500 * 2 ** failures, LONGEST_MS))
  return Math.min((retryAfter ?? 0) * 1_000, LONGEST_MS) + backoff
}

function jitter(ms: number): number {
  return ms * (0.75 + Math.random() / 2)
}
