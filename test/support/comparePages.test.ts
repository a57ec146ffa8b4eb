import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { comparePages, Difference } from './comparePages.ts'

/** A list that is served with one fault or none, compared with its expected rows. */

type Row = { chainId: number; amount: string }
type Fault = {
  rows?: (rows: Row[]) => object[]
  headers?: Record<string, string>
  /** The number of rows that a page lacks. */
  lacks?: number
  /** How often it is unavailable at first. */
  unavailable?: number
}

const ROWS: Row[] = Array.from({ length: 23 }, (_, index) => ({
  chainId: index % 2 === 0 ? 1 : 999,
  amount: String(index * 1_000),
}))

let server: Server
let fault: Fault = {}
let asked: URL[] = []
let queries: string[] = []
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://api')
    asked.push(url)
    const isUnavailable = (fault.unavailable ?? 0) >= asked.length
    const query = request.method === 'POST' ? JSON.parse(await text(request)).query : null
    if (query !== null) queries.push(query)
    const { status, body } = isUnavailable ? { status: 503, body: {} } : answer(url, query)
    response.writeHead(status, {
      'content-type': 'application/json',
      'x-indexed-blocks': '1=12,999=7',
      ...fault.headers,
    })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => server?.close())

describe('the comparison of a list, page by page', () => {
  test('default: the same rows in the same order, over pages of any size', async () => {
    for (const pageSize of [1, 5, 22, 23, 24, 100])
      expect(await compare({}, pageSize)).toMatchObject({
        rows: 23,
        pages: Math.ceil(23 / pageSize),
        askedAgain: 0,
      })
  })

  test('behavior: parameters go with every page', async () => {
    await compare({}, 10)
    expect(asked.map(({ searchParams }) => searchParams.get('filter'))).toEqual(['a', 'a', 'a'])
  })

  test('behavior: GraphQL is asked for the selection, with the same arguments', async () => {
    expect(await compare({}, 20, 'chainId amount')).toMatchObject({ rows: 23, pages: 2 })
    expect(queries).toEqual([
      '{ rows(filter: "a", pageSize: 20) { rows { chainId amount } nextPageToken } }',
      '{ rows(filter: "a", pageSize: 20, pageToken: "20") { rows { chainId amount } nextPageToken } }',
    ])
    const error = compare({ rows: change(21, { amount: '1' }) }, 20, 'chainId amount')
    await expect(error).rejects.toThrow('GraphQL for /list {"filter":"a","pageSize":20}: row 21')
  })

  test('behavior: what is unavailable for a moment is asked for again', async () => {
    expect(await compare({ unavailable: 1 }, 100)).toMatchObject({ askedAgain: 1 })
  })

  test.each<[name: string, fault: Fault, where: string]>([
    ['a field with another value', { rows: change(7, { amount: '1' }) }, 'row 7 of 23 in amount'],
    ['a number for a text', { rows: change(3, { amount: 3_000 }) }, 'row 3 of 23'],
    ['a field too many', { rows: change(0, { more: null }) }, 'row 0 of 23 in more'],
    ['a row too few', { rows: (rows) => rows.toSpliced(11, 1) }, 'row 11 of 23'],
    ['a row too many', { rows: (rows) => [...rows, ...rows.slice(0, 1)] }, 'row 23 of 23'],
    [
      'a row twice',
      { rows: (rows) => rows.flatMap((row, place) => (place === 4 ? [row, row] : row)) },
      'row 5 of 23',
    ],
    ['two rows in another order', { rows: swap }, 'row 1 of 23'],
    ['no last row', { rows: (rows) => rows.slice(0, -1) }, 'row 22 of 23'],
    ['a page that is not full', { lacks: 1 }, 'page 1 has 9 rows'],
    ['a page that is too full', { lacks: -1 }, 'page 1 has 11 rows'],
    [
      'an index behind its chain',
      { headers: { 'x-indexed-blocks': '1=11' } },
      'chain 1 as indexed',
    ],
    ['a chain left out', { headers: { 'x-degraded-chains': '999' } }, 'degraded chains'],
    ['an answer that does not come', { unavailable: 99 }, 'status 503'],
  ])('error: %s', async (_, given, where) => {
    const error = await compare(given, 10).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Difference)
    expect(String(error)).toContain(`/list {"filter":"a","pageSize":10}: ${where}`)
  })
})

function compare(given: Fault, pageSize: number, selection?: string) {
  fault = given
  asked = []
  queries = []
  const { port } = server.address() as AddressInfo
  return comparePages(`http://127.0.0.1:${port}`, {
    path: '/list',
    member: 'rows',
    params: { filter: 'a' },
    pageSize,
    rows: ROWS,
    repeatMs: 10,
    ...(selection ? { selection } : {}),
    heads: new Map([
      [1, 12],
      [999, 7],
    ]),
  })
}

function answer({ searchParams }: URL, query: string | null) {
  const served = fault.rows?.(ROWS) ?? ROWS
  const asked = (name: string) =>
    query === null ? searchParams.get(name) : query.match(`${name}: "?(\\d+)`)?.[1]
  const start = Number(asked('pageToken') ?? 0)
  const end = start + Number(asked('pageSize')) - (fault.lacks ?? 0)
  const nextPageToken = end < served.length ? String(end) : null
  const body = { rows: served.slice(start, end), nextPageToken }
  return { status: 200, body: query === null ? body : { data: { rows: body } } }
}

function change(index: number, changes: object) {
  return (rows: Row[]) => rows.map((row, place) => (place === index ? { ...row, ...changes } : row))
}

function swap(rows: Row[]): object[] {
  const [first, second, third, ...others] = rows
  return [{ ...first }, { ...third }, { ...second }, ...others]
}
