const MINUTE = 60
const HOUR = 60 * MINUTE

/** Seconds from a failed attempt to the next, the first failure first; after the last there is none. */
export const RETRY_SECONDS = [
  5,
  30,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
] as const

/** What is added to each at most, as a part of it, so that many do not come back at once. */
const JITTER = 0.2
/** How long an endpoint can ask for a pause by Retry-After. */
const MOST_RETRY_AFTER_SECONDS = HOUR

/**
 * When a delivery is tried again that failed for the given time (1 is the first), as seconds from now;
 * null when never. `retryAfterSeconds` is what the endpoint asked for, `chance` is 0..1.
 */
export function retryDelaySeconds(
  failures: number,
  { retryAfterSeconds, chance }: { retryAfterSeconds: number | null; chance: number },
): number | null {
  const scheduled = RETRY_SECONDS[failures - 1]
  if (scheduled === undefined) return null
  const asked = Math.min(retryAfterSeconds ?? 0, MOST_RETRY_AFTER_SECONDS)
  return Math.max(scheduled * (1 + JITTER * chance), asked)
}
