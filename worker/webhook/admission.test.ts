import { expect, test } from 'vitest'
import { createAdmission } from './admission.ts'

const enterAll = (admission: ReturnType<typeof createAdmission>, id: string, count: number) =>
  Array.from({ length: count }, () => admission.enter(id)).filter((leave) => leave !== null)

test('default: a slow endpoint has four at once, slow ones together eight, fast ones as many as they want', () => {
  let now = 0
  const admission = createAdmission({ now: () => now })
  for (const id of ['a', 'b', 'c']) admission.note(id, 10_000)
  const entered = ['a', 'b', 'c'].map((id) => enterAll(admission, id, 6))
  expect(entered.map(({ length }) => length)).toEqual([4, 4, 0])
  admission.note('fast', 5)
  expect(enterAll(admission, 'fast', 20)).toHaveLength(20)
  entered[0]?.[0]?.()
  expect(enterAll(admission, 'c', 6)).toHaveLength(1)
  for (const id of ['a', 'b', 'c']) admission.note(id, 5)
  expect(enterAll(admission, 'a', 6)).toEqual([])
  now += 30_000
  expect(enterAll(admission, 'a', 6)).toHaveLength(6)
})

test('behavior: endpoints that are not known yet leave room for those that are', () => {
  const admission = createAdmission()
  admission.note('slow', 10_000)
  expect(['new', 'newer', 'newest'].map((id) => enterAll(admission, id, 20).length)).toEqual([
    4, 2, 0,
  ])
  expect(enterAll(admission, 'slow', 20)).toHaveLength(4)
  admission.note('new', 5)
  expect(enterAll(admission, 'new', 6)).toHaveLength(6)
})

test('behavior: one that is known to fail takes no share of those that are not known', () => {
  let now = 0
  const admission = createAdmission({ now: () => now })
  for (let index = 0; index < 900; index += 1) admission.noteFailing(`failing ${index}`)
  now += 60_000
  expect(enterAll(admission, 'failing 1', 20)).toHaveLength(4)
  expect(enterAll(admission, 'failing 2', 20)).toHaveLength(4)
  expect(enterAll(admission, 'failing 3', 20)).toEqual([])
  expect([admission.isKnown('failing 3'), admission.isKnown('new')]).toEqual([true, false])
  expect(enterAll(admission, 'new', 20)).toHaveLength(4)
  admission.note('failing 1', 5)
  expect(enterAll(admission, 'failing 1', 20)).toHaveLength(20)
})

test('behavior: a slow endpoint stays slow until it has answered in time', () => {
  let now = 0
  const admission = createAdmission({ now: () => now })
  admission.note('a', 10_000)
  now += 60_000
  expect(enterAll(admission, 'a', 20)).toHaveLength(4)
})

test('behavior: the more jobs of an endpoint have to come again, the later, up to a minute', () => {
  const now = 1_000_000
  const admission = createAdmission({ now: () => now })
  const times = Array.from({ length: 2_000 }, () => admission.later('a').getTime() - now)
  expect(times.slice(0, 3)).toEqual([1_000, 1_100, 1_200])
  expect(Math.max(...times)).toBeLessThanOrEqual(60_000)
  const [first = 0] = times.slice(1_000).toSorted((one, other) => one - other)
  expect(first).toBeGreaterThanOrEqual(30_000)
  expect(admission.later('b').getTime() - now).toBe(1_000)
})
