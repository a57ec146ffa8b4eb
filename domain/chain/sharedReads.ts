import { LRUCache } from 'lru-cache'

export type SharedReads<Key extends string | number, Value> = {
  /** The answer, read now or by somebody who asked at most `lifeMs` ago. Throws what the read throws. */
  get(key: Key): Promise<Value>
}

type SharedReadsOptions = {
  max: number
  /** How long an answer is good, from when it was asked for; without it, for good. */
  lifeMs?: number
}

/** Reads that all who ask at once share. A failure is not kept. */
export function createSharedReads<Key extends string | number, Value>(
  { max, lifeMs }: SharedReadsOptions,
  read: (key: Key) => Promise<Value>,
): SharedReads<Key, Value> {
  const kept = new LRUCache<Key, Promise<Value>>({ max, ...(lifeMs ? { ttl: lifeMs } : {}) })
  return {
    get(key) {
      const known = kept.get(key)
      if (known) return known
      const reading = read(key)
      kept.set(key, reading)
      reading.catch(() => {
        if (kept.peek(key) === reading) kept.delete(key)
      })
      return reading
    },
  }
}
