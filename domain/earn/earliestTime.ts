/** 9999-12-31T23:59:59Z: a later deadline is none. */
const LAST_SECOND = 253_402_300_799n

/** The earliest of these times in Unix seconds; null if there is none. */
export function earliestTime(...times: (bigint | null | undefined)[]): Date | null {
  const [first] = times
    .flatMap((time) => (typeof time === 'bigint' && time <= LAST_SECOND ? [Number(time)] : []))
    .sort((a, b) => a - b)
  return first === undefined ? null : new Date(first * 1_000)
}
