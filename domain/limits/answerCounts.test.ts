import { expect, test } from 'vitest'
import { createAnswerCounts } from './answerCounts.ts'

test('default: too many after 300 in ten seconds, for each name by itself', () => {
  let now = 0
  const { add } = createAnswerCounts(() => now)
  const adds = (count: number) => Array.from({ length: count }, () => add('a'))
  expect(adds(300)).not.toContain(true)
  expect(add('a')).toBe(true)
  expect(add('b')).toBe(false)
  now = 10_000
  expect(add('a')).toBe(false)
})
