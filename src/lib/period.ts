export const HOUR_SECONDS = 3_600
export const DAY_SECONDS = 86_400

/**
 * The end of the period of so many seconds that a moment is in, in Unix seconds; a moment at which one
 * ends is in that one.
 */
export function periodEnd(timestamp: bigint, seconds: number): bigint {
  const length = BigInt(seconds)
  return ((timestamp + length - 1n) / length) * length
}
