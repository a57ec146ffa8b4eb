import { isDatabaseDown } from '../../db/isDatabaseDown.ts'
import { pause } from '../loop/pause.ts'
import { within } from '../loop/within.ts'
import { observe } from '../observation/observe.ts'
import type { AnsweredRequest } from './answeredRequest.ts'
import type { RequestStore } from './requestStore.ts'
import { createUsageSums } from './usageSums.ts'

/** Keeps the requests of API keys, without waiting for the database. */
export type RequestRecorder = {
  record(request: AnsweredRequest): void
  /** Writes what waits. Resolves also if that fails. */
  flush(): Promise<void>
  /** Writes what waits and ends. */
  stop(): Promise<void>
}

type RecorderOptions = {
  /** Called for the first failure of a row of them. */
  onFailure: (error: unknown) => void
  flushMs?: number
  /** The most requests that wait to be written; the log lacks all others, the sums do not. */
  mostWaiting?: number
}

const FLUSH_MS = 1_000
const MOST_WAITING = 10_000
/** The rows of one statement. It takes a processor of Postgres, and this one before it, from the reads of that moment. */
const MOST_ROWS = 250
/** The part of the interval over which the statements are spread. */
const SPREAD = 0.5
const FORGET_EVERY_MS = 3_600_000
const FORGET_AGAIN_MS = 60_000
/** A database that hangs does not hold up the end of the process. */
const STOP_MS = 2_000

/** Writes once a second what was asked: a row per request, in several statements, and a sum per key and hour. */
export function createRequestRecorder(
  store: RequestStore,
  { onFailure, flushMs = FLUSH_MS, mostWaiting = MOST_WAITING }: RecorderOptions,
): RequestRecorder {
  const sums = createUsageSums()
  let waiting: AnsweredRequest[] = []
  let dropped = 0
  let isFailing = false
  let forgetAt = 0
  let running: Promise<void> | null = null
  const stopping = new AbortController()

  async function write() {
    await forgetOld()
    await writeSums()
    await writeRequests()
    isFailing = false
  }

  /** A failure, such as a lock of a backup, does not keep new rows from being written. */
  async function forgetOld() {
    if (Date.now() < forgetAt) return
    forgetAt = Date.now() + FORGET_EVERY_MS
    await store.forgetOld().catch((error: unknown) => {
      forgetAt = Date.now() + FORGET_AGAIN_MS
      onFailure(error)
    })
  }

  async function writeSums() {
    const taken = sums.take()
    if (taken.length === 0) return
    await store.addSums(taken).catch((error: unknown) => {
      sums.addBack(taken)
      throw error
    })
  }

  async function writeRequests() {
    const taken = waiting
    waiting = []
    const statements = Math.ceil(taken.length / MOST_ROWS)
    for (let first = 0; first < taken.length; first += MOST_ROWS) {
      if (first > 0) await pause((flushMs * SPREAD) / statements, stopping.signal)
      const rows = taken.slice(first, first + MOST_ROWS)
      await store.writeRequests(rows).catch((error: unknown) => {
        // Rows that the database refuses would be refused for ever, and keep all others waiting.
        const isRefused = !isDatabaseDown(error)
        if (isRefused) dropped += rows.length
        const all = taken.slice(isRefused ? first + MOST_ROWS : first).concat(waiting)
        waiting = all.slice(0, mostWaiting)
        dropped += all.length - waiting.length
        throw error
      })
      observe({ kind: 'requestLog', outcome: 'written', requests: rows.length })
    }
  }

  function flush(): Promise<void> {
    running ??= write()
      .catch((error: unknown) => {
        if (!isFailing) onFailure(error)
        isFailing = true
      })
      .finally(() => {
        if (dropped > 0) observe({ kind: 'requestLog', outcome: 'dropped', requests: dropped })
        dropped = 0
        running = null
      })
    return running
  }

  const timer = setInterval(() => void flush(), flushMs)
  timer.unref()
  return {
    record(request) {
      sums.add(request)
      if (waiting.length < mostWaiting) waiting.push(request)
      else dropped += 1
    },
    flush,
    async stop() {
      clearInterval(timer)
      stopping.abort()
      // The second takes what came during the first.
      const written = flush().then(flush)
      await within(STOP_MS, written)
      await store.stop()
    },
  }
}
