import { countedCache } from '../observation/countedCache.ts'
import { observe } from '../observation/observe.ts'

export type SharedReads<Of, Value> = {
  /** The answer, read now or for a call at most `lifeMs` ago. Throws the read's error. */
  get(of: Of): Promise<Value>
}

/** Milliseconds from an arbitrary start, like `performance`. */
export type Clock = { now(): number }

export type SharedReadsOptions<Of> = {
  /** The name of the reads, for metrics. */
  name: string
  /** Two calls with the same key share an answer. */
  keyOf: (of: Of) => string
  max: number
  /** How long an answer is valid, from the start of its read; without it, for ever. */
  lifeMs?: number
  /**
   * The latest time at which a call starts a new read, while all calls still get the valid answer. The
   * time is random between half of it and all of it, so that entries made together are not always
   * refreshed together.
   */
  refreshMs?: number
  /** How long a failure is returned again, from when it came; without it, not at all. */
  failureLifeMs?: number
  /** The clock for these lifetimes; by default the process's own. */
  clock?: Clock | undefined
}

type Kept<Value> = {
  answer: Promise<Value>
  /** A time of the clock. Infinity for a failure, and while a refresh is under way. */
  refreshAt: number
}

/** Reads that simultaneous callers share. A failure is kept only for `failureLifeMs`. */
export function createSharedReads<Of, Value>(
  options: SharedReadsOptions<Of>,
  read: (of: Of) => Promise<Value>,
): SharedReads<Of, Value> {
  const { name, keyOf, max, lifeMs, refreshMs = Infinity } = options
  const { failureLifeMs = 0, clock = performance } = options
  const kept = countedCache<string, Kept<Value>>(name, {
    max,
    perf: clock,
    ...(lifeMs ? { ttl: lifeMs } : {}),
  })

  function keep(key: string, answer: Promise<Value>, start: number) {
    const entry = { answer, refreshAt: start + refreshMs * (0.5 + Math.random() / 2) }
    kept.set(key, entry, { start })
    return entry
  }

  function refresh(key: string, of: Of, known: Kept<Value>) {
    known.refreshAt = Infinity
    const start = clock.now()
    const answer = read(of)
    // A failed refresh is ignored: the next read after the valid answer expires reports the failure.
    answer.then(
      () => keep(key, answer, start),
      () => {},
    )
  }

  return {
    get(of) {
      const key = keyOf(of)
      const known = kept.get(key)
      observe({ kind: 'sharedRead', of: name, isHit: known !== undefined })
      if (known) {
        if (clock.now() >= known.refreshAt) refresh(key, of, known)
        return known.answer
      }
      const entry = keep(key, read(of), clock.now())
      entry.answer.catch(() => {
        if (kept.peek(key) !== entry) return
        entry.refreshAt = Infinity
        if (failureLifeMs > 0) kept.set(key, entry, { ttl: failureLifeMs })
        else kept.delete(key)
      })
      return entry.answer
    },
  }
}
