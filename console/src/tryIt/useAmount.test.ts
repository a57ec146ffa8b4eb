import { expect, test } from 'vitest'
import { parseAmount } from './useAmount.ts'

test.each([
  ['12.5', 6, 12_500_000n],
  [' 1,000 ', 6, 1_000_000_000n],
  ['0.000001', 6, 1n],
  ['1,234,567.5', 6, 1_234_567_500_000n],
  ['1,5', 6, null],
  ['1,00', 6, null],
  ['1.000,5', 6, null],
  ['0,001', 6, null],
  ['1,0000', 6, null],
  ['0', 6, null],
  ['0.0000001', 6, null],
  ['-1', 6, null],
  ['1e3', 6, null],
  ['', 6, null],
])('default: %j with %d decimals', (text, decimals, amount) => {
  expect(parseAmount(text, decimals)).toBe(amount)
})
