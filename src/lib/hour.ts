const HOUR_SECONDS = 3_600n

/** The end of the hour that a moment is in, in Unix seconds; a full hour is in the one that it ends. */
export function hourOf(timestamp: bigint): bigint {
  return ((timestamp + HOUR_SECONDS - 1n) / HOUR_SECONDS) * HOUR_SECONDS
}
