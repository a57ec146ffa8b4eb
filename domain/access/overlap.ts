import { z } from 'zod'

export const MOST_OVERLAP_SECONDS = 7 * 86_400
export const DEFAULT_OVERLAP_SECONDS = 86_400
export const OVERLAP_EXPECTED = `expected an integer from 0 to ${MOST_OVERLAP_SECONDS}`

/** How long a secret that is replaced continues to work. */
export const overlapSecondsParam = z
  .int(OVERLAP_EXPECTED)
  .min(0, OVERLAP_EXPECTED)
  .max(MOST_OVERLAP_SECONDS, OVERLAP_EXPECTED)
