/** Of the jobs that a worker does at once, so many may wait for endpoints: others have work too. */
const MOST_AT_ONCE = 16
const MOST_PER_ENDPOINT = 8
const LATER_MS = 1_000

export type Admission = {
  /** What to call when done, or null where the endpoint, or all together, have their share. */
  enter(endpointId: string): (() => void) | null
  /** When to ask again, spread over a second or two. */
  later(): Date
}

/** Keeps one endpoint that does not answer from taking every job there is. */
export function createAdmission(): Admission {
  const inside = new Map<string, number>()
  let total = 0
  return {
    enter(endpointId) {
      const ofEndpoint = inside.get(endpointId) ?? 0
      if (total >= MOST_AT_ONCE || ofEndpoint >= MOST_PER_ENDPOINT) return null
      total += 1
      inside.set(endpointId, ofEndpoint + 1)
      return () => {
        total -= 1
        const left = (inside.get(endpointId) ?? 1) - 1
        if (left === 0) inside.delete(endpointId)
        else inside.set(endpointId, left)
      }
    },
    later: () => new Date(Date.now() + LATER_MS * (1 + Math.random())),
  }
}
