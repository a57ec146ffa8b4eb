/**
 * The time of the oldest event to replay: `seconds` ago, or the beginning of the log for an empty text. The API begins with
 * the oldest event that is kept; the number of one that is not it would refuse.
 */
export function replayStart(seconds: string): Date {
  return new Date(seconds === '' ? 0 : Date.now() - Number(seconds) * 1_000)
}
