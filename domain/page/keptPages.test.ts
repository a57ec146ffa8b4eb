import { describe, expect, test } from 'vitest'
import { createKeptPages } from './keptPages.ts'

const QUERY = { filter: null, cursor: null, pageSize: 25, binding: 'orders of one' }
type Row = { id: number; status: string }

/** Each made page counts. */
function counted(isSame?: (known: Row, row: Row) => boolean) {
  const pages = createKeptPages<Row, { made: number }>('test_pages', isSame)
  let made = 0
  return (rows: Row[], query = QUERY) =>
    pages.pageOf(query, rows, () => {
      made += 1
      return { made }
    })
}

describe('createKeptPages', () => {
  test('default: while the rows are the same, the same object', async () => {
    const pageOf = counted()
    const page = await pageOf([{ id: 1, status: 'OPEN' }])
    expect(await pageOf([{ id: 1, status: 'OPEN' }])).toBe(page)
  })

  test('behavior: another page for a changed row, a further row, one row less, another query', async () => {
    const pageOf = counted()
    const open = { id: 1, status: 'OPEN' }
    const made = []
    for (const rows of [[open], [{ ...open, status: 'DONE' }], [open], [open, open], [open], []])
      made.push((await pageOf(rows)).made)
    expect(made).toEqual([1, 2, 3, 4, 5, 6])
    for (const other of [{ binding: 'orders of another' }, { pageSize: 26 }, { cursor: [1] }])
      made.push((await pageOf([], { ...QUERY, ...other } as typeof QUERY)).made)
    expect(made.slice(6)).toEqual([7, 8, 9])
  })

  test('behavior: a comparison of its own', async () => {
    const pageOf = counted((known, row) => known.status === row.status)
    const page = await pageOf([{ id: 1, status: 'OPEN' }])
    expect(await pageOf([{ id: 2, status: 'OPEN' }])).toBe(page)
  })

  test('behavior: the rows of all kept pages are bounded', async () => {
    const pageOf = counted()
    const first = await pageOf([{ id: 1, status: 'OPEN' }])
    const many = Array.from({ length: 100 }, (_, id) => ({ id, status: 'OPEN' }))
    for (let page = 0; page < 40; page += 1)
      await pageOf(many, { ...QUERY, binding: `orders of ${page}` })
    expect(await pageOf([{ id: 1, status: 'OPEN' }])).not.toBe(first)
  })
})
