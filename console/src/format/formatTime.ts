const LOCALE = 'en-US'
const SECONDS = {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
} as const
const DAY = { month: 'short', day: 'numeric' } as const

// Made once: a formatter takes longer to make than to use, and a list that scrolls has hundreds of times a second.
const secondsOfThisYear = new Intl.DateTimeFormat(LOCALE, SECONDS)
const secondsOfAnyYear = new Intl.DateTimeFormat(LOCALE, { ...SECONDS, year: 'numeric' })
const day = new Intl.DateTimeFormat(LOCALE, DAY)
const dayWithHour = new Intl.DateTimeFormat(LOCALE, {
  ...DAY,
  hour: '2-digit',
  minute: '2-digit',
  hour12: false,
})

/** A time as it is read here, and in UTC. */
export function formatTime(time: Date): { local: string; utc: string } {
  const isThisYear = time.getFullYear() === new Date().getFullYear()
  return {
    local: (isThisYear ? secondsOfThisYear : secondsOfAnyYear).format(time),
    utc: `${time
      .toISOString()
      .replace('T', ' ')
      .replace(/\.\d+Z$/, '')} UTC`,
  }
}

/** A day, or a day with its hour, for charts and their tables. */
export function formatDay(time: Date, withHour = false): string {
  return (withHour ? dayWithHour : day).format(time)
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const

/** The duration of a request: milliseconds below a second. */
export function formatLatency(milliseconds: number): string {
  return milliseconds < 1_000 ? `${milliseconds} ms` : formatDuration(milliseconds)
}

/** A duration by its two largest units, such as `1 min 21 s`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds / 1_000)
  if (seconds < 10 && !Number.isInteger(seconds)) return `${seconds.toFixed(1)} s`
  let rest = Math.round(seconds)
  const parts: string[] = []
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(`${count} ${unit}`)
  }
  if (rest > 0 || parts.length === 0) parts.push(`${rest} s`)
  return parts.slice(0, 2).join(' ')
}
