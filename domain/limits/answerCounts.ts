import { LRUCache } from 'lru-cache'

export type AnswerCounts = {
  /** Counts an answer; true if this name has had too many in this window. */
  add(name: string): boolean
}

const MOST_NAMES = 50_000
const WINDOW_MS = 10_000
/** More than a client that heeds a refusal, or a probe of health, asks for. */
const MOST_PER_WINDOW = 300

/** Counts answers by name, in windows that begin with the first. */
export function createAnswerCounts(now: () => number = Date.now): AnswerCounts {
  const counts = new LRUCache<string, { count: number; endsAt: number }>({ max: MOST_NAMES })
  return {
    add(name) {
      const known = counts.get(name)
      const current =
        known && now() < known.endsAt ? known : { count: 0, endsAt: now() + WINDOW_MS }
      current.count += 1
      counts.set(name, current)
      return current.count > MOST_PER_WINDOW
    },
  }
}
