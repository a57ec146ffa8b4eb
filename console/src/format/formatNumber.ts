import { formatUnits } from 'viem'

const LOCALE = 'en-US'

/** A number as it is shown: `short` for reading, `full` with all digits. */
export type Shown = { short: string; full: string }

/** A decimal number in text, rounded for reading. No digit of a large number is lost on the way. */
export function formatDecimal(text: string, fractionDigits = 2): Shown {
  const isSmall = /^-?0?\.0*[1-9]/.test(text) && Math.abs(Number(text)) < 10 ** -fractionDigits
  const format = new Intl.NumberFormat(LOCALE, {
    ...(isSmall
      ? { maximumSignificantDigits: 2 }
      : { minimumFractionDigits: fractionDigits, maximumFractionDigits: fractionDigits }),
  })
  return { short: format.format(decimal(text)), full: grouped(text) }
}

/** An amount in base units of a token with this many decimals. */
export function formatAmount(amount: bigint, decimals: number): Shown {
  const text = formatUnits(amount, decimals)
  return formatDecimal(text)
}

/** A percentage, such as `3.61 %`, from a number that is one already. */
export function formatPercent(text: string): Shown {
  const { short, full } = formatDecimal(text)
  return { short: `${short} %`, full: `${full} %` }
}

/** A count, with the digits in groups. */
export function formatCount(count: number | bigint): string {
  return new Intl.NumberFormat(LOCALE).format(count)
}

/** For axes: 1.2M, 35K. */
export function formatCompact(value: number): string {
  return new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 2 }).format(
    value,
  )
}

function grouped(text: string): string {
  const [whole = '', fraction = ''] = text.split('.')
  const digits = fraction.replace(/0+$/, '')
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return digits ? `${groups}.${digits}` : groups
}

function decimal(text: string): Intl.StringNumericLiteral {
  if (!/^-?\d*\.?\d+$/.test(text)) throw new TypeError(`${text} is not a decimal number`)
  return text as `${number}` // By its pattern.
}
