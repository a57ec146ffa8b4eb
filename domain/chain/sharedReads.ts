import { LRUCache } from 'lru-cache'
import { observe } from '../observation/observe.ts'

export type SharedReads<Of, Value> = {
  /** The answer, read now or by somebody who asked at most `lifeMs` ago. Throws what the read throws. */
  get(of: Of): Promise<Value>
}

type SharedReadsOptions<Of> = {
  /** What is read, for those who count. */
  name: string
  /** What tells one question from another. */
  keyOf: (of: Of) => string
  max: number
  /** How long an answer is good, from when it was asked for; without it, for good. */
  lifeMs?: number
  /** How long a failure is told again, from when it came; without it, not at all. */
  failureLifeMs?: number
}

/** Reads that all who ask at once share. A failure is not kept, unless told otherwise. */
export function createSharedReads<Of, Value>(
  { name, keyOf, max, lifeMs, failureLifeMs = 0 }: SharedReadsOptions<Of>,
  read: (of: Of) => Promise<Value>,
): SharedReads<Of, Value> {
  const kept = new LRUCache<string, Promise<Value>>({ max, ...(lifeMs ? { ttl: lifeMs } : {}) })
  return {
    get(of) {
      const key = keyOf(of)
      const known = kept.get(key)
      observe({ kind: 'sharedRead', of: name, isHit: known !== undefined })
      if (known) return known
      const reading = read(of)
      kept.set(key, reading)
      reading.catch(() => {
        if (kept.peek(key) !== reading) return
        if (failureLifeMs > 0) kept.set(key, reading, { ttl: failureLifeMs })
        else kept.delete(key)
      })
      return reading
    },
  }
}
