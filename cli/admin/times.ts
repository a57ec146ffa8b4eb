import { InvalidArgumentError } from 'commander'

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 }
const LONGEST_SECONDS = 36_500 * 86_400
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/

/** Parses `90d`, `12h`, `30m` or `20s` to seconds. */
export function parseDuration(text: string): number {
  const [, count, unit = ''] = /^(\d{1,10})([smhd])$/.exec(text) ?? []
  const seconds = Number(count) * (SECONDS[unit] ?? Number.NaN)
  if (seconds > 0 && seconds <= LONGEST_SECONDS) return seconds
  throw new InvalidArgumentError('expected a duration such as 90d, 12h, 30m or 20s')
}

/** Parses a future time: a duration from now, or ISO 8601 with a zone. */
export function parseExpiry(text: string): Date {
  const time = TIME.test(text) ? new Date(text) : new Date(Date.now() + parseDuration(text) * 1_000)
  if (time.getTime() > Date.now()) return time
  throw new InvalidArgumentError('expected a future time, such as 2027-01-31T00:00:00Z')
}
