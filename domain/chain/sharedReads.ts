import { LRUCache } from 'lru-cache'

export type SharedReads<Of, Value> = {
  /** The answer, read now or by somebody who asked at most `lifeMs` ago. Throws what the read throws. */
  get(of: Of): Promise<Value>
}

type SharedReadsOptions<Of> = {
  /** What tells one question from another. */
  keyOf: (of: Of) => string
  max: number
  /** How long an answer is good, from when it was asked for; without it, for good. */
  lifeMs?: number
}

/** Reads that all who ask at once share. A failure is not kept. */
export function createSharedReads<Of, Value>(
  { keyOf, max, lifeMs }: SharedReadsOptions<Of>,
  read: (of: Of) => Promise<Value>,
): SharedReads<Of, Value> {
  const kept = new LRUCache<string, Promise<Value>>({ max, ...(lifeMs ? { ttl: lifeMs } : {}) })
  return {
    get(of) {
      const key = keyOf(of)
      const known = kept.get(key)
      if (known) return known
      const reading = read(of)
      kept.set(key, reading)
      reading.catch(() => {
        if (kept.peek(key) === reading) kept.delete(key)
      })
      return reading
    },
  }
}
