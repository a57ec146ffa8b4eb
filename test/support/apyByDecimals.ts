import { Decimal } from 'decimal.js'

const YEAR = 31_536_000
/** Digits enough for what is below 2^128. */
const Exact = Decimal.clone({ precision: 90, toExpNeg: -100, toExpPos: 100 })

/** The APY formula of docs/earn/analytics.md, by a library of decimals. */
export function apyByDecimals(startRate: bigint, endRate: bigint, windowSeconds: number): string {
  if (windowSeconds === 0) return '0'
  const ratio = new Exact(String(endRate)).div(String(startRate))
  const growth = ratio.pow(new Exact(YEAR).div(windowSeconds)).minus(1)
  const rounded = growth.times(100).toDecimalPlaces(12, Decimal.ROUND_HALF_UP)
  return rounded.isZero() ? '0' : rounded.toString()
}
