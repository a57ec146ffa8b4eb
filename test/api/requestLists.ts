import { beforeAll, describe, expect, test } from 'vitest'
import { testPageLaws } from '../support/pageLaws.ts'
import { type Account, LOG, type RequestReader } from '../support/requestReader.ts'

const DAY_MS = 86_400_000

/** The list of requests: its pages, filters and texts. */
export function testRequestLists({ account, read, insertRequests, pagesOf }: RequestReader) {
  describe('the list of requests', () => {
    let paged: Account
    let rows: { at: number; name: string }[] = []
    const begin = Date.now() - DAY_MS
    let added = 0
    async function add(at: number) {
      added += 1
      const row = { at, name: `row-${added}` }
      await insertRequests(paged, [row])
      rows.push(row)
    }
    beforeAll(async () => {
      paged = await account()
      rows = Array.from({ length: 20 }, (_, index) => ({
        at: begin + Math.floor(index / 3),
        name: `first-${index}`,
      }))
      await insertRequests(paged, rows)
    })
    const list = (params: Record<string, string>) =>
      pagesOf(
        LOG,
        () => paged,
        params,
        ({ requestId }) => String(requestId),
      )

    testPageLaws(() => ({
      fetch: list({ filter: 'route = /v1/x' }),
      // Rows of one time are in the order of their writing.
      matching: () =>
        rows
          .map((row, index) => ({ ...row, index }))
          .toSorted((a, b) => b.at - a.at || b.index - a.index)
          .map(({ name }) => name),
      insert: async () => {
        await add(begin - 1_000)
        await add(begin + 60_000 + added)
        await add(begin + 2)
      },
      others: {
        'another filter': list({ filter: 'route = /v1/x AND status = 200' }),
        'a time': list({ filter: 'route = /v1/x', startTime: '1' }),
      },
    }))
  })

  test('behavior: any text is stored as it is', async () => {
    const acme = await account()
    const names = ['"', '\\', '\\"', ',', '{}', 'NULL', '', "'", 'a\nb', 'é💣']
    const at = Date.now()
    await insertRequests(
      acme,
      names.map((name, index) => ({ at: at - index, name })),
    )
    const { body } = await read(LOG, acme, { filter: 'route = /v1/x' })
    expect(body.requests.map(({ requestId }) => requestId)).toEqual(names)
  })

  test('behavior: filters and times select requests', async () => {
    const acme = await account()
    const at = Date.now() - 10_000
    await insertRequests(acme, [
      { at, name: 'a', status: 200 },
      { at: at + 2_000, name: 'b', status: 404 },
      { at: at + 4_000, name: 'c', status: 429 },
      { at: at + 6_000, name: 'd', status: 500 },
    ])
    const names = async (params: Record<string, string>) =>
      (await read(LOG, acme, params)).body.requests.map(({ requestId }) => requestId)
    for (const [filter, expected] of [
      ['outcome = ANSWERED AND route = /v1/x', ['a']],
      ['outcome = INVALID', ['b']],
      ['outcome = REFUSED', ['c']],
      ['outcome = FAILED', ['d']],
      ['status = 404 OR status = 500', ['d', 'b']],
      ['requestId = c', ['c']],
      ['method = POST', []],
      ['operation = listVaults', []],
      ['reason = UNEXPECTED', []],
      ['status = 99999999999', []],
    ] as const)
      expect([filter, await names({ filter })]).toEqual([filter, expected])
    const seconds = (ms: number) => String(Math.ceil(ms / 1_000))
    const filter = 'route = /v1/x'
    expect(await names({ filter, startTime: seconds(at + 3_000) })).toEqual(['d', 'c'])
    expect(await names({ filter, endTime: seconds(at + 3_000) })).toEqual(['b', 'a'])
  })
}
