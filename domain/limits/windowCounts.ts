import { countedCache } from '../cache/countedCache.ts'

export type WindowCounts = {
  /** Counts one more of this name; true if it has had too many in this window. */
  add(name: string): boolean
  /** Whether this name has had too many in this window. */
  isOver(name: string): boolean
}

const MOST_NAMES = 50_000
const WINDOW_MS = 10_000

/** Counts by name, in windows of 10 s that begin with the first. More than `most` are too many; `what` is for metrics. */
export function createWindowCounts(
  what: string,
  most: number,
  now: () => number = Date.now,
): WindowCounts {
  const counts = countedCache<string, { count: number; endsAt: number }>(what, { max: MOST_NAMES })
  const currentOf = (name: string) => {
    const known = counts.get(name)
    return known && now() < known.endsAt ? known : undefined
  }
  return {
    add(name) {
      const current = currentOf(name) ?? { count: 0, endsAt: now() + WINDOW_MS }
      current.count += 1
      counts.set(name, current)
      return current.count > most
    },
    isOver: (name) => (currentOf(name)?.count ?? 0) > most,
  }
}
