import { expect, test } from 'vitest'
import { createWindowCounts } from './windowCounts.ts'

test('default: too many after the most in ten seconds, for each name by itself', () => {
  let now = 0
  const { add, isOver } = createWindowCounts('test', 300, () => now)
  const adds = (count: number) => Array.from({ length: count }, () => add('a'))
  expect(adds(300)).not.toContain(true)
  expect(isOver('a')).toBe(false)
  expect(add('a')).toBe(true)
  expect(isOver('a')).toBe(true)
  expect(add('b')).toBe(false)
  expect(isOver('b')).toBe(false)
  now = 10_000
  expect(isOver('a')).toBe(false)
  expect(add('a')).toBe(false)
})
