export const HOUR_SECONDS = 3_600
export const DAY_SECONDS = 86_400

/** The end, in Unix seconds, of the period of `seconds` around a timestamp. A period includes its end. */
export function periodEnd(timestamp: bigint, seconds: number): bigint {
  const length = BigInt(seconds)
  return ((timestamp + length - 1n) / length) * length
}
