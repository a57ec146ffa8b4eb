import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { getJson } from '../support/getJson.ts'
import { insertOrder, insertOrders, type OrderCase, orderRow } from '../support/insertOrder.ts'
import { type PageFetcher, type PageQuery, testPageLaws } from '../support/pageLaws.ts'

const START = 1_700_000_000
type Parties = { user_address: Address; receiver: Address }

/** Each list has parties of its own: the rows that one inserts would lengthen the walks of the others. */
const [FIRST, SECOND, THIRD] = [partiesOf('a1', 'b1'), partiesOf('a2', 'b2'), partiesOf('a3', 'b3')]
const LONELY = partiesOf('c3', 'c3')
const OTHER = partiesOf('c4', 'c4')
/** More orders than a filtered page searches. */
const MANY = 500

let api: TestApi
const rows: OrderCase[] = []
beforeAll(async () => {
  api = await startTestApi()
  // Three orders per second: within a second they are sorted by id.
  for (const parties of [FIRST, SECOND, THIRD])
    for (let index = 0; index < 40; index += 1) await add(START + Math.floor(index / 3), parties)
  for (let index = 0; index < 3; index += 1) await add(START + index, OTHER)
  await addMany()
})
afterAll(() => api?.stop())

const list = (query: Record<string, string>): PageFetcher => {
  return ({ pageSize, pageToken }: PageQuery) =>
    get('/v1/transit/orders', {
      ...query,
      pageSize: String(pageSize),
      ...(pageToken === undefined ? {} : { pageToken }),
    })
}

const processing = 'status = PROCESSING'
const mixed = 'status = PROCESSING AND (sourceChain = 1 OR destinationChain = 1)'

describe('the orders of a sender', () => {
  testPageLaws(() => ({
    fetch: list({ userAddress: FIRST.user_address }),
    matching: () => ordered((row) => row.user_address === FIRST.user_address),
    insert: () => insertAround(FIRST),
    others: {
      'another user': list({ userAddress: OTHER.user_address }),
      'a filter': list({ userAddress: FIRST.user_address, filter: processing }),
    },
  }))
})

describe('the orders of a receiver, filtered by one key', () => {
  testPageLaws(() => ({
    fetch: list({ userAddress: SECOND.receiver, filter: processing }),
    matching: () =>
      ordered((row) => row.receiver === SECOND.receiver && row.status === 'PROCESSING'),
    insert: () => insertAround(SECOND),
    others: {
      'no filter': list({ userAddress: SECOND.receiver }),
      'another filter': list({ userAddress: SECOND.receiver, filter: 'sourceChain = 1' }),
      'another user': list({ userAddress: THIRD.user_address, filter: processing }),
    },
  }))
})

describe('orders filtered by several keys', () => {
  testPageLaws(() => ({
    fetch: list({ userAddress: THIRD.user_address, filter: mixed }),
    matching: () =>
      ordered((row) => row.user_address === THIRD.user_address && row.status === 'PROCESSING'),
    insert: () => insertAround(THIRD),
    others: {
      'a part of the filter': list({ userAddress: THIRD.user_address, filter: processing }),
    },
  }))
})

describe('a filter that few of very many orders pass', () => {
  const few = list({ userAddress: LONELY.user_address, filter: 'status = REMOVED' })

  testPageLaws(() => ({
    fetch: few,
    matching: () =>
      ordered((row) => row.user_address === LONELY.user_address && row.status === 'REMOVED'),
    insert: () => insertAround({ ...LONELY, status: 'REMOVED' }),
    others: { 'no filter': list({ userAddress: LONELY.user_address }) },
  }))

  test('behavior: a page that looked at its most comes back short, with a token', async () => {
    const first = await few({ pageSize: 100 })
    expect(first.keys.length).toBeLessThan(100)
    const matching = ordered(
      (row) => row.user_address === LONELY.user_address && row.status === 'REMOVED',
    )
    expect(first.keys.length).toBeLessThan(matching.length)
    const rest = await few({ pageSize: 100, pageToken: first.nextPageToken ?? '' })
    expect([...first.keys, ...rest.keys]).toEqual(matching)
    expect(rest.nextPageToken).toBeNull()
  })

  test('behavior: a page may hold nothing and still lead on', async () => {
    const none = list({ userAddress: LONELY.user_address, filter: 'status = PENDING_BRIDGE' })
    const first = await none({ pageSize: 100 })
    expect(first.keys).toEqual([])
    const rest = await none({ pageSize: 100, pageToken: first.nextPageToken ?? '' })
    expect([rest.status, rest.keys, rest.nextPageToken]).toEqual([200, [], null])
  })
})

test('error: a token of the list of route approvals', async () => {
  const { nextPageToken } = await list({ userAddress: FIRST.user_address })({ pageSize: 1 })
  const { status, reason } = await get('/v1/transit/routeApprovals', {
    pageToken: nextPageToken ?? '',
  })
  expect([status, reason]).toEqual([400, 'INVALID_PAGE_TOKEN'])
})

function partiesOf(sender: string, receiver: string): Parties {
  return { user_address: `0x${sender.repeat(20)}`, receiver: `0x${receiver.repeat(20)}` }
}

let made = 0
/** Ids do not rise with time, so that sorting by id alone would fail. */
function nextId(): Hex {
  made += 1
  const scrambled = (BigInt(made) * 0x9e3779b97f4a7c15n) & ((1n << 64n) - 1n)
  return `0x${scrambled.toString(16).padStart(64, '0')}`
}

function newRow(createdAt: number, changes: Partial<OrderCase>): OrderCase {
  const row = orderRow({
    id: nextId(),
    status: made % 3 === 0 ? 'PROCESSED' : 'PROCESSING',
    created_at: BigInt(createdAt),
    ...changes,
  })
  rows.push(row)
  return row
}

async function add(createdAt: number, changes: Partial<OrderCase>) {
  await insertOrder(api.context.sql, newRow(createdAt, changes))
}

/** One at each end, and two at times that other orders share: before and after the current page. */
async function insertAround(changes: Partial<OrderCase>) {
  const times = rows.map(({ created_at }) => Number(created_at))
  const [oldest, newest] = [Math.min(...times), Math.max(...times)]
  for (const time of [oldest - 1, newest + 1, START + 3, START + 9])
    await add(time, { status: 'PROCESSING', ...changes })
}

/** Adds many orders of one user; every twentieth is removed. */
async function addMany() {
  const { sql } = api.context
  const many = Array.from({ length: MANY }, (_, index) =>
    newRow(START + (index >> 1), {
      ...LONELY,
      status: index % 20 === 0 ? 'REMOVED' : 'PROCESSED',
    }),
  )
  await insertOrders(sql, many)
  await sql`analyze read.transit_side`
}

/** Newest first, by (createdAt, id). */
function ordered(isWanted: (row: OrderCase) => boolean): string[] {
  const place = (row: OrderCase) => `${String(row.created_at).padStart(12, '0')} ${row.id}`
  return rows
    .filter(isWanted)
    .sort((a, b) => (place(a) < place(b) ? 1 : -1))
    .map(({ id }) => id)
}

async function get(path: string, query: Record<string, string>) {
  const { status, reason, body } = await getJson(
    `${api.url}${path}?${new URLSearchParams({ ...query })}`,
  )
  const keys = (body.orders ?? []).map(({ id }) => id)
  return { status, reason, keys, nextPageToken: body.nextPageToken ?? null }
}
