import { expect, test } from 'vitest'
import { versionAt } from './versionAt.ts'

const first = { name: 'first', fromBlock: 100, toBlock: 199 }
const second = { name: 'second', fromBlock: 250, toBlock: 'unknown' as const }
const third = { name: 'third', fromBlock: 300 }

test.each([
  ['before the first', 99, null],
  ['the first block of the first', 100, 'first'],
  ['the last block of the first', 199, 'first'],
  ['after it, before the next', 200, null],
  ['before the next', 249, null],
  ['the first block of one whose end is unknown', 250, 'second'],
  ['the last block before the next begins', 299, 'second'],
  ['the first block of the one in use', 300, 'third'],
  ['long after', 1_000_000_000, 'third'],
])('behavior: %s', (_, block, name) => {
  expect(versionAt([first, second, third], block)?.name ?? null).toBe(name)
})

test('behavior: one block long, and the next at once', () => {
  const versions = [{ fromBlock: 0, toBlock: 0 }, { fromBlock: 1 }]
  expect([0, 1].map((block) => versionAt(versions, block))).toEqual(versions)
})

test('behavior: the last, of unknown end, may still be in use', () => {
  expect(versionAt([first, second], 1_000)?.name).toBe('second')
})

test('behavior: no versions', () => {
  expect(versionAt([], 5)).toBeNull()
})
