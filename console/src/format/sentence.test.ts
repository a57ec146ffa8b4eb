import { expect, test } from 'vitest'
import { sentence } from './sentence.ts'

test.each([
  ['no answer from http://127.0.0.1:4000', 'No answer from http://127.0.0.1:4000.'],
  ['The order is unknown.', 'The order is unknown.'],
  ['pageSize: expected at most 100', 'pageSize: expected at most 100.'],
  ['offerAmount is too small', 'offerAmount is too small.'],
])('default: %s', (message, shown) => {
  expect(sentence(message)).toBe(shown)
})
