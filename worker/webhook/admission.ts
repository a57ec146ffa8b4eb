import { LRUCache } from 'lru-cache'
import { createTally } from '../../domain/limits/tally.ts'

/** An endpoint is slow if an attempt takes longer, */
const SLOW_MS = 1_000
/** and stays slow for so long, and then until an attempt is fast: one that is fast now and then would take every job in between. */
const SLOW_FOR_MS = 30_000
/**
 * Jobs of a worker that may wait for slow endpoints at once, and for those that are not known yet: the rest is for
 * the fast ones. Otherwise an organization with many endpoints, or with a new one every few seconds, would take all.
 */
const MOST_TOGETHER = { slow: 8, unknown: 6 }
/** Jobs of one that is slow or unknown. */
const MOST_PER_ENDPOINT = 4
const LATER_MS = 1_000
/**
 * Between two jobs of an endpoint that have to come again. One that times out can have tens of thousands of queues: each look
 * of each costs as much as a delivery, and all would look every second.
 */
const SPACING_MS = 100
/** Once the endpoint answers in time again, each of its queues comes within this time. */
const MOST_LATER_MS = 60_000
/** One that is forgotten is unknown. */
const MOST_KNOWN = 50_000

type Pace = 'slow' | 'unknown' | 'fast'

export type Admission = {
  isKnown(endpointId: string): boolean
  /** The function to call at the end, or null if the endpoint, or all of its pace, have their share. */
  enter(endpointId: string): (() => void) | null
  /** Records the duration of an attempt. */
  note(endpointId: string, ms: number): void
  /** Records that an endpoint which this worker does not know accepts nothing: it is slow until it has answered in time. */
  noteFailing(endpointId: string): void
  /** When a job that may not enter tries again: the more of its endpoint wait, the later, from one second to a minute. */
  later(endpointId: string): Date
}

/** Limits the jobs that slow and unknown endpoints take; fast endpoints are never limited. */
export function createAdmission({ slowMs = SLOW_MS, now = Date.now } = {}): Admission {
  const inside = createTally()
  const known = new LRUCache<string, { slowUntil: number; wasFast: boolean }>({ max: MOST_KNOWN })
  /** The last time that was given out for each endpoint. */
  const latest = new LRUCache<string, number>({ max: MOST_KNOWN })
  function paceOf(endpointId: string): Pace {
    const { slowUntil, wasFast } = known.get(endpointId) ?? { slowUntil: null, wasFast: false }
    if (slowUntil === null) return 'unknown'
    return wasFast && slowUntil <= now() ? 'fast' : 'slow'
  }
  return {
    isKnown: (endpointId) => known.has(endpointId),
    enter(endpointId) {
      const pace = paceOf(endpointId)
      if (pace !== 'fast') {
        const alike = inside.names().filter((id) => paceOf(id) === pace)
        const together = alike.reduce((sum, id) => sum + inside.count(id), 0)
        const isFull = together >= MOST_TOGETHER[pace]
        if (isFull || inside.count(endpointId) >= MOST_PER_ENDPOINT) return null
      }
      return inside.enter(endpointId)
    },
    note(endpointId, ms) {
      const { slowUntil = 0 } = known.get(endpointId) ?? {}
      const isSlow = ms > slowMs
      known.set(endpointId, {
        slowUntil: isSlow ? now() + SLOW_FOR_MS : slowUntil,
        wasFast: !isSlow,
      })
    },
    noteFailing: (endpointId) => void known.set(endpointId, { slowUntil: 0, wasFast: false }),
    later(endpointId) {
      const next = Math.max(now() + LATER_MS, (latest.get(endpointId) ?? 0) + SPACING_MS)
      const last = now() + MOST_LATER_MS
      if (next > last) return new Date(last - Math.random() * (MOST_LATER_MS / 2))
      latest.set(endpointId, next)
      return new Date(next)
    },
  }
}
