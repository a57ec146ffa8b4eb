import { LRUCache } from 'lru-cache'
import { observe } from '../observation/observe.ts'

export type SharedReads<Of, Value> = {
  /** The answer, read now or by somebody who asked at most `lifeMs` ago. Throws what the read throws. */
  get(of: Of): Promise<Value>
}

/** Milliseconds since some time, as `performance` counts them. */
export type Clock = { now(): number }

type SharedReadsOptions<Of> = {
  /** What is read, for those who count. */
  name: string
  /** What tells one question from another. */
  keyOf: (of: Of) => string
  max: number
  /** How long an answer is good, from when it was asked for; without it, for good. */
  lifeMs?: number
  /**
   * When, at the latest, whoever asks has it read anew, while all are told the one that is still good: at
   * any time from half of it on, so that what began together is not read together for ever.
   */
  refreshMs?: number
  /** How long a failure is told again, from when it came; without it, not at all. */
  failureLifeMs?: number
  /** Counts these lifetimes; the process's own without it. */
  clock?: Clock | undefined
}

type Kept<Value> = {
  answer: Promise<Value>
  /** By the clock; never for what failed, or is being read anew. */
  refreshAt: number
}

/** Reads that all who ask at once share. A failure is not kept, unless told otherwise. */
export function createSharedReads<Of, Value>(
  options: SharedReadsOptions<Of>,
  read: (of: Of) => Promise<Value>,
): SharedReads<Of, Value> {
  const { name, keyOf, max, lifeMs, refreshMs = Infinity } = options
  const { failureLifeMs = 0, clock = performance } = options
  const kept = new LRUCache<string, Kept<Value>>({
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
    // A failure is told when the answer that is still good is not any more.
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
