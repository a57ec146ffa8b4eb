const MINUTE = 60
const HOUR = 60 * MINUTE

/**
 * Seconds from a failed attempt to the next, the first failure first; after the last there is none. Together more than
 * 72 hours, so that a receiver that is down over a weekend misses nothing.
 */
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
  24 * HOUR,
  24 * HOUR,
] as const

/**
 * Through so many attempts a delivery that fails holds back the later ones of its resource: 13 minutes. That is longer than
 * a restart, and short enough for an event that its endpoint never accepts.
 */
export const HOLDING_ATTEMPTS = 5

/** Up to this part of a delay is added, so that retries spread out. */
const JITTER = 0.2
/** The longest pause that an endpoint can request by Retry-After. */
const MOST_RETRY_AFTER_SECONDS = HOUR

/**
 * Seconds until the next attempt after so many failures; null if there is none. `retryAfterSeconds` is the
 * endpoint's request, `chance` is 0 to 1.
 */
export function retryDelaySeconds(
  failures: number,
  { retryAfterSeconds, chance }: { retryAfterSeconds: number | null; chance: number },
): number | null {
  const scheduled = RETRY_SECONDS[failures - 1]
  if (scheduled === undefined) return null
  const requested = Math.min(retryAfterSeconds ?? 0, MOST_RETRY_AFTER_SECONDS)
  return Math.max(scheduled * (1 + JITTER * chance), requested)
}
