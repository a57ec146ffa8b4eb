import { expect, test } from 'vitest'
import { MOST_ROWS, readAll } from './readAll.ts'

const HALF = MOST_ROWS / 2

function listOf(pageCount: number) {
  return {
    async *pages() {
      for (let page = 1; page <= pageCount; page++)
        yield {
          numbers: Array.from({ length: HALF }, (_, i) => i),
          nextPageToken: page < pageCount ? 'next' : null,
        }
    },
  }
}

test.each([
  [1, HALF, false],
  [2, MOST_ROWS, false],
  [3, MOST_ROWS, true],
])('default: %i pages', async (pageCount, rowCount, isCut) => {
  const read = await readAll(listOf(pageCount), 'numbers')
  expect([read.rows.length, read.isCut]).toEqual([rowCount, isCut])
})
