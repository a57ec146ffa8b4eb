import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { type DrawnFilter, drawFilter } from '../support/drawnFilters.ts'
import { getJson } from '../support/getJson.ts'
import { insertOrders, type OrderCase, orderRow, submissionHash } from '../support/insertOrder.ts'
import { idsOf, isPartyOf, modelOf, newestFirst } from '../support/orderModel.ts'
import { type PageQuery, testPageLaws } from '../support/pageLaws.ts'
import { type SeededRandom, seededRandom } from '../support/seededRandom.ts'

/** Lists of orders by what leads them, against a model of the same rows. */

const START = 1_700_000_000
const ZERO_CODE = `0x${'00'.repeat(32)}` as const
const USERS = [address('a1'), address('a2'), address('a3')] as const
const RECEIVERS = [address('a1'), address('b2'), address('b3')] as const
const CODES = [code('c1'), code('c2'), ZERO_CODE] as const
const STATUSES = ['PENDING_BRIDGE', 'PROCESSING', 'PROCESSED', 'REMOVED'] as const
const SENDERS = [address('a1'), address('f2')] as const
const PINNED = {
  user: USERS,
  payer: USERS,
  receiver: RECEIVERS,
  transactionSender: SENDERS,
  distributorCode: CODES,
} as const
const PINNED_KEYS = ['user', 'payer', 'receiver', 'transactionSender', 'distributorCode'] as const
const VALUES = {
  ...PINNED,
  status: STATUSES,
  sourceChain: ['1', '4663'],
  destinationChain: ['4663', '1'],
} as const
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
const DRAWS = 60
/** The orders of one distributor code: more than the count of a filtered list looks at. */
const MANY = 500
const BUSY = { user: address('d1'), code: code('d1') }
const UNKNOWN = [code('e1'), code('e2')] as const

type Listed = { id: Hex; createdAt: string }
type Page = {
  orders: Listed[]
  nextPageToken: string | null
  totalCount?: string
  unknownOrderIds?: Hex[]
}

let api: TestApi
const rows: OrderCase[] = []
const random = seededRandom(SEED)
beforeAll(async () => {
  api = await startTestApi()
  for (let index = 0; index < 120; index += 1) rows.push(drawnRow(index))
  for (let index = 0; index < MANY; index += 1) rows.push(busyRow(index))
  await insertOrders(api.context.sql, rows)
  await api.context.sql`analyze read.transit_side`
})
afterAll(() => api?.stop())

describe.each([
  [
    'a distributor code',
    `distributorCode = ${CODES[0]}`,
    (row) => row.distributor_code === CODES[0],
  ],
  [
    'a sender of transactions',
    `transactionSender = ${SENDERS[1]}`,
    (row) => row.transaction_sender === SENDERS[1],
  ],
  ['a receiver', `receiver = ${RECEIVERS[1]}`, (row) => row.receiver === RECEIVERS[1]],
  [
    'a sender with a status',
    `user = ${USERS[1]} AND status != PROCESSED`,
    (row) => row.user_address === USERS[1] && row.status !== 'PROCESSED',
  ],
] satisfies [string, string, (row: OrderCase) => boolean][])(
  'the orders of %s',
  (_, filter, isIn) => {
    const window = { startTime: String(START + 5), endTime: String(START + 50) }
    testPageLaws(
      () => ({
        fetch: pages({ filter }),
        matching: () => idsOf(listed(isIn)),
        others: {
          'its window': pages({ filter, ...window }),
          'another filter': pages({ filter: `distributorCode = ${ZERO_CODE}` }),
          'a user': pages({ userAddress: USERS[0] }),
        },
      }),
      { isGrowing: false },
    )
  },
)

describe('the orders of some ids', () => {
  const asked = () => rows.slice(0, 60).map(({ id }) => id)
  testPageLaws(
    () => ({
      fetch: pages({ orderIds: asked().join() }),
      matching: () => idsOf(newestFirst(rows.slice(0, 60))),
      others: { 'other ids': pages({ orderIds: idsOf(rows.slice(60, 120)).join() }) },
    }),
    { isGrowing: false },
  )

  test('behavior: unknown ones are named on every page, in the order in which they were asked', async () => {
    const [first, second] = idsOf(rows)
    const orderIds = [UNKNOWN[1], first, UNKNOWN[0], second, first?.toUpperCase().replace('X', 'x')]
    const query = { orderIds: orderIds.join(), pageSize: '1' }
    const one = await list(query)
    const two = await list({ ...query, pageToken: one.nextPageToken ?? '' })
    for (const { unknownOrderIds } of [one, two])
      expect(unknownOrderIds).toEqual([UNKNOWN[1], UNKNOWN[0]])
    expect([...one.orders, ...two.orders].map(({ id }) => id).sort()).toEqual(
      [first, second].sort(),
    )
    expect(two.nextPageToken).toBeNull()
  })

  test('behavior: an order that does not pass the filter is left out, and not unknown', async () => {
    const [row] = rows
    const orderIds = row?.id ?? ''
    const { orders, unknownOrderIds } = await list({ orderIds, filter: `status != ${row?.status}` })
    expect([orders, unknownOrderIds]).toEqual([[], []])
  })

  test('behavior: an order of which only the destination is indexed', async () => {
    const lone = { user_address: null, offer_amount: null, distributor_code: null }
    const row = orderRow({ id: code('f1'), created_at: BigInt(START + 7), ...lone })
    await insertOrders(api.context.sql, [row])
    const { orders, unknownOrderIds } = await list({
      orderIds: row.id,
      filter: 'status = PROCESSING',
    })
    expect([orders.map(({ id }) => id), unknownOrderIds]).toEqual([[row.id], []])
  })

  test('error: too many, none, and one that is no id', async () => {
    const ids = Array.from({ length: 101 }, (_, index) => `0x${String(index).padStart(64, '0')}`)
    expect(await refusal({ orderIds: ids.join() })).toEqual(['orderIds'])
    expect(await refusal({ orderIds: '' })).toEqual(['orderIds.0'])
    expect(await refusal({ orderIds: `${UNKNOWN[0]},0x12` })).toEqual(['orderIds.1'])
    expect((await list({ orderIds: ids.slice(1).join() })).unknownOrderIds).toHaveLength(100)
  })
})

describe('a window', () => {
  test('behavior: later than its start, not later than its end', async () => {
    const [startTime, endTime] = [START + 10, START + 20]
    const { orders } = await list({
      userAddress: USERS[0],
      startTime: String(startTime),
      endTime: String(endTime),
      pageSize: '100',
    })
    const inside = ({ created_at }: OrderCase) => created_at > startTime && created_at <= endTime
    const expected = listed((row) => isPartyOf(row, USERS[0]) && inside(row))
    expect(orders.map(({ id }) => id)).toEqual(idsOf(expected))
    expect(expected.length).toBeGreaterThan(3)
  })

  test('error: one end alone, and ends in the wrong order', async () => {
    const userAddress = USERS[0]
    expect(await refusal({ userAddress, startTime: '5' })).toEqual(['endTime'])
    expect(await refusal({ userAddress, endTime: '5' })).toEqual(['startTime'])
    const both = await refusal({ userAddress, startTime: '6', endTime: '5' })
    expect(both).toEqual(['startTime', 'endTime'])
  })
})

describe('totalCount', () => {
  const ofCode = `distributorCode = ${BUSY.code}`

  test('behavior: of the whole list, on every page; absent without being asked for', async () => {
    const query = { filter: ofCode, pageSize: '2' }
    const first = await list({ ...query, includeTotalCount: 'true' })
    const second = await list({
      ...query,
      includeTotalCount: 'true',
      pageToken: first.nextPageToken ?? '',
    })
    expect([first.totalCount, second.totalCount]).toEqual([String(MANY), String(MANY)])
    expect(await list(query)).not.toHaveProperty('totalCount')
    expect(await list(query)).not.toHaveProperty('unknownOrderIds')
  })

  test('behavior: at least so many, where a filter needs more orders to be looked at', async () => {
    const filter = `${ofCode} AND status = REMOVED`
    const { totalCount } = await list({ filter, includeTotalCount: 'true' })
    const newest = listed(({ distributor_code }) => distributor_code === BUSY.code).slice(0, 401)
    const removed = newest.filter(({ status }) => status === 'REMOVED').length
    expect(totalCount).toBe(`${removed}+`)
    const { totalCount: all } = await list({
      filter: `${ofCode} AND sourceChain = 1`,
      includeTotalCount: 'true',
    })
    expect(all).toBe('400+')
  })

  test('behavior: above 10,000 it ends', async () => {
    const own = {
      user_address: address('d2'),
      receiver: address('d3'),
      distributor_code: code('d2'),
    }
    const id = (index: number): Hex => `0x${'d2'.repeat(28)}${String(index).padStart(8, '0')}`
    const many = Array.from({ length: 10_001 }, (_, index) =>
      orderRow({ id: id(index), created_at: BigInt(START + index), ...own, ...UNDELIVERED }),
    )
    await insertOrders(api.context.sql, many.slice(0, 10_000))
    const query = { userAddress: own.receiver, includeTotalCount: 'true', pageSize: '1' }
    expect((await list(query)).totalCount).toBe('10000')
    await insertOrders(api.context.sql, many.slice(10_000))
    expect((await list(query)).totalCount).toBe('10000+')
  })
})

describe(`drawn lists, SEED=${SEED}`, () => {
  test(`behavior: ${DRAWS} lists hold the orders of the model, once and in order, and count them`, async () => {
    let found = 0
    for (let draw = 0; draw < DRAWS; draw += 1) {
      const { query, isIn } = drawList()
      const expected = idsOf(newestFirst(rows.filter(isIn)))
      const ids: Hex[] = []
      let pageToken: string | null = null
      do {
        const page: Page = await list({ ...query, ...(pageToken ? { pageToken } : {}) })
        expect([draw, query, page.totalCount]).toEqual([draw, query, String(expected.length)])
        ids.push(...page.orders.map(({ id }) => id))
        pageToken = page.nextPageToken
      } while (pageToken)
      expect([draw, query, ids]).toEqual([draw, query, expected])
      found += ids.length
    }
    expect(found).toBeGreaterThan(DRAWS)
  })
})

test('error: nothing leads the list', async () => {
  for (const filter of [
    '',
    'status = PROCESSED',
    `user != ${USERS[0]}`,
    `user = ${USERS[0]} OR receiver = ${USERS[0]}`,
  ])
    expect(await refusal({ filter })).toEqual(['userAddress'])
})

test('behavior: GraphQL takes and answers the same', async () => {
  const query = `query ($ids: [Hash!]) {
    transitOrders(orderIds: $ids, includeTotalCount: true) { orders { id } totalCount unknownOrderIds } }`
  const [first] = idsOf(rows)
  const response = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { ids: [first, UNKNOWN[0]] } }),
  })
  expect(await response.json()).toMatchObject({
    data: {
      transitOrders: { orders: [{ id: first }], totalCount: '1', unknownOrderIds: [UNKNOWN[0]] },
    },
  })
})

const UNDELIVERED: Partial<OrderCase> = {
  status: 'PENDING_BRIDGE',
  amount_due: null,
  executions: [],
}

function address(byte: string): Address {
  return `0x${byte.repeat(20)}`
}

function code(byte: string): Hex {
  return `0x${byte.repeat(32)}`
}

/** Two orders share a second; ids do not rise with time. */
function placeOf(index: number, group: string) {
  const scrambled = (BigInt(index + 1) * 0x9e3779b97f4a7c15n) & ((1n << 64n) - 1n)
  const id: Hex = `0x${scrambled.toString(16).padStart(16, '0')}${group.repeat(24)}`
  return { id, created_at: BigInt(START + (index >> 1)) }
}

function drawnRow(index: number): OrderCase {
  const status = random.pick(STATUSES)
  return orderRow({
    ...placeOf(index, '71'),
    user_address: random.pick(USERS),
    transaction_sender: random.pick(SENDERS),
    receiver: random.pick(RECEIVERS),
    distributor_code: random.pick(CODES),
    status,
    ...(status === 'PENDING_BRIDGE' ? UNDELIVERED : {}),
  })
}

function busyRow(index: number): OrderCase {
  return orderRow({
    ...placeOf(index, '72'),
    user_address: BUSY.user,
    receiver: BUSY.user,
    distributor_code: BUSY.code,
    status: index % 9 === 0 ? 'REMOVED' : 'PROCESSED',
  })
}

type DrawnList = { query: Record<string, string>; isIn: (row: OrderCase) => boolean }

function drawList(): DrawnList {
  const lead = drawLead(random)
  const more = drawFilter(random, VALUES)
  const isWindowed = random.chance(0.4)
  const startTime = START + random.integer(-1, 60)
  const endTime = startTime + random.integer(0, 40)
  const filter = [lead.filter, more.text && `(${more.text})`].filter(Boolean).join(' AND ')
  return {
    query: {
      ...lead.query,
      ...(filter ? { filter } : {}),
      ...(isWindowed ? { startTime: String(startTime), endTime: String(endTime) } : {}),
      includeTotalCount: 'true',
      pageSize: String(random.integer(1, 60)),
    },
    isIn: (row) =>
      lead.isIn(row) &&
      more.matches(modelOf(row)) &&
      (!isWindowed || (row.created_at > startTime && row.created_at <= endTime)),
  }
}

type Lead = DrawnList & { filter?: string }

function drawLead(from: SeededRandom): Lead {
  const user = from.pick(USERS)
  const withUser = from.chance(0.3)
  const party = withUser ? { userAddress: user } : {}
  const isOfUser = (row: OrderCase) => !withUser || isPartyOf(row, user)
  const chosen = rows.slice(0, 120).filter(() => from.chance(0.2))
  const one = rows[from.integer(0, 119)]
  const key = from.pick<keyof typeof PINNED>(PINNED_KEYS)
  const pinned: DrawnFilter = drawEqual(from, key)
  return from.pick<Lead>([
    { query: { userAddress: user }, isIn: (row) => isPartyOf(row, user) },
    {
      query: { ...party, orderIds: [one?.id, ...idsOf(chosen)].join() },
      isIn: (row) => (row === one || chosen.includes(row)) && isOfUser(row),
    },
    {
      query: party,
      filter: `txHash = ${submissionHash(one?.id ?? '0x')}`,
      isIn: (row) => row === one && isOfUser(row),
    },
    {
      query: party,
      filter: `messageGuid = ${one?.id}`,
      isIn: (row) => row === one && row.offer_amount_normalized18 !== null && isOfUser(row),
    },
    {
      query: party,
      filter: pinned.text,
      isIn: (row) => pinned.matches(modelOf(row)) && isOfUser(row),
    },
  ])
}

function drawEqual(from: SeededRandom, key: keyof typeof PINNED): DrawnFilter {
  const value = from.pick<string>(PINNED[key])
  return {
    text: `${key} = ${value}`,
    matches: (row) => Object.entries(row).some(([name, own]) => name === key && own === value),
  }
}

function listed(isIn: (row: OrderCase) => boolean): OrderCase[] {
  return newestFirst(rows.filter(isIn))
}

function pages(query: Record<string, string>) {
  return async ({ pageSize, pageToken }: PageQuery) => {
    const { status, reason, body } = await ask({
      ...query,
      pageSize: String(pageSize),
      ...(pageToken === undefined ? {} : { pageToken }),
    })
    const keys = (body.orders ?? []).map(({ id }) => id)
    return { status, reason, keys, nextPageToken: body.nextPageToken ?? null }
  }
}

async function list(query: Record<string, string>): Promise<Page> {
  const { url, status, reason, body } = await ask(query)
  expect([query, status, reason]).toEqual([query, 200, null])
  expect(undescribed(url, status, body)).toEqual([])
  return body
}

/** The fields of a refusal. */
async function refusal(query: Record<string, string>): Promise<string[]> {
  const { status, body } = await ask(query)
  expect([query, status]).toEqual([query, 400])
  const [{ fieldViolations = [] } = {}] = body.error.details
  return fieldViolations.map(({ field }) => field)
}

function ask(query: Record<string, string>) {
  return getJson<Page>(`${api.url}/v1/transit/orders?${new URLSearchParams(query)}`)
}
