import { expect, test } from 'vitest'
import { formatAmount, formatDecimal, formatPercent } from './formatNumber.ts'

test('default: two digits to read, all of them on hover', () => {
  expect(formatAmount(1_998_674_999n, 6)).toEqual({ short: '1,998.67', full: '1,998.674999' })
  expect(formatPercent('3.610853018345')).toEqual({ short: '3.61 %', full: '3.610853018345 %' })
})

test('behavior: no digit of a large number is lost', () => {
  const { full, short } = formatAmount(123_456_789_012_345_678_901_234_567_891n, 18)
  expect([short, full]).toEqual(['123,456,789,012.35', '123,456,789,012.345678901234567891'])
})

test('behavior: a small amount is not shown as nothing', () => {
  expect(formatAmount(1n, 6).short).toBe('0.000001')
  expect(formatDecimal('-0.0012').short).toBe('-0.0012')
  expect(formatAmount(0n, 6)).toEqual({ short: '0.00', full: '0' })
})
