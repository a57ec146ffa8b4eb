import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../../db/sql.ts'
import { jsonPathCondition } from '../../../domain/filter/filterToJsonPath.ts'
import { examinedPage } from '../../../domain/page/examinedPage.ts'
import { type ListParams, listQuery } from '../../../domain/page/listQuery.ts'
import { pageInSql } from '../../../domain/page/pageInSql.ts'
import { pageEndingAt } from '../../../domain/page/pageOfRows.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts'

type Row = { id: number; at: Date; kind: string }
type Found = { ids: number[]; nextPageToken: string | null }

const ROWS = 40
const MOST_EXAMINED = 6
const appSecret = new Uint8Array(32).fill(7)
const queryOf = listQuery<[at: string, id: string]>({
  list: 'rows',
  keys: { kind: { type: 'string' } },
})
const NEWEST_FIRST = Array.from({ length: ROWS }, (_, id) => ROWS - 1 - id)
const RARE = NEWEST_FIRST.filter((id) => id % 13 === 0)

let database: TestDatabase
let sql: Sql

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { applicationName: 'test', max: 1 })
  // Three rows of one microsecond each, all within few milliseconds.
  await sql`
    create temporary table row as
    select id, '2026-01-01'::timestamptz + id / 3 * interval '70 microseconds' as at,
      case when id % 13 = 0 then 'rare' else 'usual' end as kind
    from generate_series(0, ${ROWS - 1}::integer) id`
})
afterAll(async () => {
  await sql?.end()
  await database?.drop()
})

async function walk(pageSize: number, read: (params: ListParams) => Promise<Found>) {
  const pages: number[][] = []
  for (let pageToken: string | null | undefined; pageToken !== null; ) {
    const page: Found = await read({ pageSize, pageToken })
    pages.push(page.ids)
    pageToken = page.nextPageToken
  }
  return pages
}

describe('pageInSql', () => {
  const read = (isAscending: boolean, filter?: string) => async (params: ListParams) => {
    const { rows, nextPageToken } = await pageInSql<'rows', Row>(
      { sql, adHocSql: sql, appSecret },
      queryOf({ appSecret }, { ...params, filter }),
      {
        name: 'rows',
        rows: (given) => given`select * from row`,
        order: { at: 'timestamptz', id: 'integer' },
        isAscending,
      },
    )
    return { ids: rows.map(({ id }) => id), nextPageToken }
  }

  test.each([1, 2, 7, 100])('behavior: pages of %i hold every row once, in order', async (size) => {
    expect((await walk(size, read(false))).flat()).toEqual(NEWEST_FIRST)
    expect((await walk(size, read(true))).flat()).toEqual(NEWEST_FIRST.toReversed())
  })

  test('behavior: filtered, pages are full', async () => {
    expect(await walk(2, read(false, 'kind = rare'))).toEqual([RARE.slice(0, 2), RARE.slice(2)])
  })
})

describe('examinedPage', () => {
  const read = (isExamined: boolean) => async (params: ListParams) => {
    const query = queryOf({ appSecret }, { ...params, filter: isExamined ? 'kind = rare' : '' })
    const [time, id] = query.cursor ?? ['infinity', '0']
    const page = examinedPage(sql, {
      pageSize: query.pageSize,
      candidates: () => sql`(
        select * from row where (at, id) < (${time}::text::timestamptz, ${id}::integer)
      )`,
      matching: sql`
        select * from candidate c where ${jsonPathCondition(sql, query.filter, { kind: 'c.kind' })}`,
      isExamined,
      mostExamined: MOST_EXAMINED,
      order: ['at', 'id'],
    })
    const rows = await sql<(Row & { end: string[] | null })[]>`
      with ${page} select page_end.place as "end", found.*
      from page_end left join found on true order by at desc, id desc`
    const { ids, nextPageToken } = pageEndingAt({ appSecret }, query, {
      name: 'ids',
      rows: rows.flatMap(({ id }) => id ?? []),
      end: rows[0]?.end ?? null,
    })
    return { ids, nextPageToken }
  }

  test.each([1, 2, 7, 100])('behavior: pages of %i hold every row once, in order', async (size) => {
    expect((await walk(size, read(false))).flat()).toEqual(NEWEST_FIRST)
  })

  test('behavior: a page ends at the most that it looks at, and its token goes on', async () => {
    const pages = await walk(100, read(true))
    expect(pages.flat()).toEqual(RARE)
    expect(pages).toHaveLength(Math.ceil(ROWS / MOST_EXAMINED))
  })

  test.each([1, 2, 7])('behavior: pages of %i hold every match once', async (size) => {
    expect((await walk(size, read(true))).flat()).toEqual(RARE)
  })
})
