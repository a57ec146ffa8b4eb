/** An endpoint is slow if an attempt takes longer, */
const SLOW_MS = 1_000
/** and stays slow for so long: one that is fast now and then would take every job in between. */
const SLOW_FOR_MS = 30_000
/** Jobs of a worker that may wait for slow endpoints at once: the rest is for other endpoints. */
const MOST_SLOW = 12
const MOST_PER_SLOW_ENDPOINT = 4
const LATER_MS = 1_000

export type Admission = {
  /** The function to call at the end, or null if the slow endpoint, or all slow ones, have their share. */
  enter(endpointId: string): (() => void) | null
  /** Records the duration of an attempt. */
  note(endpointId: string, ms: number): void
  /** When to try again, spread over one to two seconds. */
  later(): Date
}

/** Limits the jobs that slow endpoints take; fast endpoints are never limited. */
export function createAdmission({ slowMs = SLOW_MS, now = Date.now } = {}): Admission {
  const inside = new Map<string, number>()
  /** By endpoint, until when it is slow; Unix milliseconds. */
  const slow = new Map<string, number>()
  const insideOf = (endpointId: string) => inside.get(endpointId) ?? 0
  function forgetFaster() {
    for (const [id, until] of slow) if (until <= now()) slow.delete(id)
  }
  return {
    enter(endpointId) {
      forgetFaster()
      const ofAll = [...slow.keys()].reduce((sum, id) => sum + insideOf(id), 0)
      const isFull = insideOf(endpointId) >= MOST_PER_SLOW_ENDPOINT || ofAll >= MOST_SLOW
      if (slow.has(endpointId) && isFull) return null
      inside.set(endpointId, insideOf(endpointId) + 1)
      return () => {
        const left = insideOf(endpointId) - 1
        if (left > 0) inside.set(endpointId, left)
        else inside.delete(endpointId)
      }
    },
    note(endpointId, ms) {
      if (ms > slowMs) slow.set(endpointId, now() + SLOW_FOR_MS)
    },
    later: () => new Date(Date.now() + LATER_MS * (1 + Math.random())),
  }
}
