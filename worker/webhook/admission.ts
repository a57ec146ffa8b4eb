/** An endpoint whose attempt takes longer is slow, */
const SLOW_MS = 1_000
/** for so long: who answers fast now and then would have every job there is in between. */
const SLOW_FOR_MS = 30_000
/** Of the jobs that a worker does at once, so many may wait for slow endpoints: others have work too. */
const MOST_SLOW = 12
const MOST_PER_SLOW_ENDPOINT = 4
const LATER_MS = 1_000

export type Admission = {
  /** What to call when done, or null where a slow endpoint, or all of them together, have their share. */
  enter(endpointId: string): (() => void) | null
  /** How long an attempt took. */
  note(endpointId: string, ms: number): void
  /** When to ask again, spread over a second or two. */
  later(): Date
}

/** Keeps endpoints that do not answer from taking every job there is; those that do are never held up. */
export function createAdmission({ slowMs = SLOW_MS, now = Date.now } = {}): Admission {
  const inside = new Map<string, number>()
  /** Until when; Unix milliseconds. */
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
