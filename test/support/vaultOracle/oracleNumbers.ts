/** The decimal text of base units, with all decimals. */
export function human(amount: bigint, decimals: number): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
  const sign = amount < 0n ? '-' : ''
  if (decimals === 0) return `${sign}${digits}`
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** A fraction, rounded to this many decimals, halves away from zero. */
export function ratio(numerator: bigint, denominator: bigint, decimals: number): string {
  return human(divide(numerator * 10n ** BigInt(decimals), denominator), decimals)
}

const MILLION = 1_000_000n

/**
 * Parts of a whole in millionths that sum to it: the rest after flooring goes to the parts that lost most.
 * If all values are 0, the weights are equal.
 */
export function weights(values: bigint[]): string[] {
  const total = values.reduce((sum, value) => sum + value, 0n)
  if (total === 0n && values.length > 0) return weights(values.map(() => 1n))
  const cut = values.map((value) => (value * MILLION) / total)
  const lost = values.map((value, place) => ({ place, rest: (value * MILLION) % total }))
  const missing = Number(MILLION - cut.reduce((sum, part) => sum + part, 0n))
  const raised = lost
    .toSorted((a, b) => (a.rest === b.rest ? a.place - b.place : a.rest < b.rest ? 1 : -1))
    .slice(0, missing)
    .map(({ place }) => place)
  return cut.map((part, place) => human(part + (raised.includes(place) ? 1n : 0n), 6))
}

const YEAR = 31_536_000n
const DECIMALS = 12
const MOST_GROWTH = 2n ** 128n

/**
 * `((end/start)^(year/window) - 1) * 100` to twelve decimals, without the zeros at its end: by series
 * of whole numbers, whose digits grow with the result. Null where growth is
 * above 2^128.
 */
export function apyPercent(start: bigint, end: bigint, windowSeconds: number): string | null {
  if (windowSeconds === 0 || start === end) return '0'
  const magnitude = Math.abs(
    (Math.log(Number(end) / Number(start)) * Number(YEAR)) / windowSeconds / Math.LN10,
  )
  const one = 10n ** BigInt(60 + 2 * Math.ceil(magnitude))
  const exponent = (logarithm(start, end, one) * YEAR) / BigInt(windowSeconds)
  const growth = exponential(exponent, one)
  if (growth > MOST_GROWTH * one) return null
  const percent = (growth - one) * 100n
  const rounded = human(divide(percent * 10n ** BigInt(DECIMALS), one), DECIMALS)
  return rounded.replace(/\.?0+$/, '').replace(/^-0$/, '0')
}

/** ln(end/start) = 2 artanh((end - start) / (end + start)), in units of `one`. */
function logarithm(start: bigint, end: bigint, one: bigint): bigint {
  const [top, bottom] = [end - start, end + start]
  let power = (one * top) / bottom
  let sum = 0n
  for (let odd = 1n; power !== 0n; odd += 2n) {
    sum += power / odd
    power = (power * top * top) / (bottom * bottom)
  }
  return 2n * sum
}

/** e^exponent by its series for a small part of the exponent, then squared until it is the whole. */
function exponential(exponent: bigint, one: bigint): bigint {
  let halvings = 0n
  while (abs(exponent) >> halvings > one / 16n) halvings += 1n
  // Each squaring doubles the error of the part.
  const guard = 10n ** (halvings + 10n)
  const unit = one * guard
  const part = (exponent * guard) / 2n ** halvings
  let term = unit
  let sum = 0n
  for (let place = 1n; term !== 0n; place += 1n) {
    sum += term
    term = (term * part) / unit / place
  }
  for (let done = 0n; done < halvings; done += 1n) sum = (sum * sum) / unit
  return sum / guard
}

/** Rounded to a whole number, halves away from zero. */
function divide(numerator: bigint, denominator: bigint): bigint {
  const doubled = abs(numerator) * 2n + denominator
  const rounded = doubled / (denominator * 2n)
  return numerator < 0n ? -rounded : rounded
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value
}
