import { expect, test } from 'vitest'

export type PageQuery = { pageSize: number; pageToken?: string }

export type PageAnswer = {
  status: number
  /** The error's text; null without one. */
  reason: string | null
  /** One unique key per row. */
  keys: string[]
  nextPageToken: string | null
}

export type PageFetcher = (page: PageQuery) => Promise<PageAnswer>

export type PagedList = {
  /** One request of the list, over HTTP. */
  fetch: PageFetcher
  /** The keys of all rows that match now, in the list's order; more than 14 of them. */
  matching(): string[]
  /** Adds matching rows, at both ends of the list and within; absent if rows are never added. */
  insert?(): Promise<void>
  /** Other lists, users and filters, by their difference: none may accept a token of this one. */
  others: Record<string, PageFetcher>
}

const PAGE_SIZES = [1, 2, 7, 100]

/** Registers tests for the rules of every paged list. `list` is called after the setup. */
export function testPageLaws(list: () => PagedList, { isGrowing = true } = {}) {
  test.each(PAGE_SIZES)('behavior: pages of %i hold every row once, in order', async (pageSize) => {
    const { fetch, matching } = list()
    expect(matching().length).toBeGreaterThan(14)
    expect((await walk(fetch, pageSize)).flat()).toEqual(matching())
  })

  test.each(isGrowing ? PAGE_SIZES.slice(0, -1) : [])(
    'behavior: rows inserted while pages of %i are walked neither repeat nor hide any',
    async (pageSize) => {
      const { fetch, matching, insert } = list()
      const before = matching()
      const seen = (await walk(fetch, pageSize, insert)).flat()
      const after = matching()
      expect(after.length).toBeGreaterThan(before.length)
      expect(new Set(seen).size).toBe(seen.length)
      expect(seen.filter((key) => before.includes(key))).toEqual(before)
      expect(seen).toEqual(after.filter((key) => seen.includes(key)))
    },
  )

  test('error: a token that was forged or cut', async () => {
    const { fetch } = list()
    const token = await tokenOf(fetch)
    const middle = token.length >> 1
    const bad = [
      ...[0, middle, token.length - 1].map((at) => flipped(token, at)),
      ...[1, 2, middle, token.length - 1].map((length) => token.slice(0, length)),
      `${token}A`,
      ` ${token}`,
      `${token}=`,
      'null',
      '💣',
      'A'.repeat(token.length),
      Buffer.from(JSON.stringify(['1', '2'])).toString('base64url'),
    ]
    for (const pageToken of bad) await expectRefused(fetch, pageToken)
  })

  test('error: a token of another list, user or filter', async () => {
    const { fetch, others } = list()
    const token = await tokenOf(fetch)
    for (const other of Object.values(others)) {
      await expectRefused(other, token)
      await expectRefused(fetch, await tokenOf(other))
    }
  })
}

async function walk(fetch: PageFetcher, pageSize: number, between?: () => Promise<void>) {
  const pages: string[][] = []
  const tokens = new Set<string>()
  let pageToken: string | null = null
  do {
    const page: PageAnswer = await fetch({ pageSize, ...(pageToken ? { pageToken } : {}) })
    expect([page.status, page.reason]).toEqual([200, null])
    expect(page.keys.length).toBeLessThanOrEqual(pageSize)
    pages.push(page.keys)
    pageToken = page.nextPageToken
    if (pageToken === null) return pages
    expect(tokens.has(pageToken), 'the token advances').toBe(false)
    tokens.add(pageToken)
    // With more insertions at its end, paging would never finish.
    if (tokens.size <= 8) await between?.()
  } while (pages.length < 2_000)
  throw new Error('the walk does not end')
}

async function tokenOf(fetch: PageFetcher): Promise<string> {
  const { status, nextPageToken } = await fetch({ pageSize: 1 })
  expect(status).toBe(200)
  if (nextPageToken === null) throw new Error('the list has no second page')
  return nextPageToken
}

/** The same token with one character changed to its neighbour in the alphabet. */
function flipped(token: string, at: number): string {
  const changed = token[at] === 'A' ? 'B' : 'A'
  return token.slice(0, at) + changed + token.slice(at + 1)
}

async function expectRefused(fetch: PageFetcher, pageToken: string) {
  const { status, reason } = await fetch({ pageSize: 1, pageToken })
  expect([pageToken, status, reason]).toEqual([pageToken, 400, 'INVALID_PAGE_TOKEN'])
}
