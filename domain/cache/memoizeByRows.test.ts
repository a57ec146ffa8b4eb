import { expect, test } from 'vitest'
import { memoizeByRows } from './memoizeByRows.ts'

/** Each made page counts. */
function counted() {
  const pageOf = memoizeByRows<readonly number[], Map<string, number>, { made: number }>()
  let made = 0
  return (rows: readonly number[], rate: number) =>
    pageOf(rows, new Map([['a vault', rate]]), () => {
      made += 1
      return { made }
    })
}

test('default: the same object while the rows are the same object, and the other inputs are equal', () => {
  const [pageOf, rows] = [counted(), [1, 2]]
  const page = pageOf(rows, 5)
  expect(pageOf(rows, 5)).toBe(page)
})

test('behavior: made again for other rows, and for other inputs', () => {
  const [pageOf, rows] = [counted(), [1, 2]]
  expect([pageOf(rows, 5), pageOf([1, 2], 5), pageOf(rows, 6), pageOf(rows, 5)]).toEqual([
    { made: 1 },
    { made: 2 },
    { made: 3 },
    { made: 4 },
  ])
})
