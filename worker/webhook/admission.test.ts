import { expect, test } from 'vitest'
import { createAdmission } from './admission.ts'

const enterAll = (admission: ReturnType<typeof createAdmission>, id: string, count: number) =>
  Array.from({ length: count }, () => admission.enter(id)).filter((leave) => leave !== null)

test('default: a slow endpoint has four at once, slow ones together twelve, others as many as they want', () => {
  let now = 0
  const admission = createAdmission({ now: () => now })
  for (const id of ['a', 'b', 'c', 'd']) admission.note(id, 10_000)
  const entered = ['a', 'b', 'c', 'd'].map((id) => enterAll(admission, id, 6))
  expect(entered.map(({ length }) => length)).toEqual([4, 4, 4, 0])
  expect(enterAll(admission, 'fast', 20)).toHaveLength(20)
  entered[0]?.[0]?.()
  expect(enterAll(admission, 'd', 6)).toHaveLength(1)
  for (const id of ['a', 'b', 'c', 'd']) admission.note(id, 5)
  expect(enterAll(admission, 'a', 6)).toEqual([])
  now += 30_000
  expect(enterAll(admission, 'a', 6)).toHaveLength(6)
})
