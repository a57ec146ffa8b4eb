import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { getJson } from '../support/getJson.ts'
import { insertFacts } from '../support/testIndex.ts'
import { type BookVault, bookOfVaults } from '../support/vaultBook.ts'
import { insertLife } from '../support/vaultLives.ts'

/** The arguments of series and positions: which are accepted, and the fields that a refusal names. */

const LIST = ['filter', 'pageSize', 'pageToken']

const DAY = 86_400
const START = 1_699_920_000
const VAULTS: BookVault[] = [1, 4663].flatMap((chainId) =>
  (['six decimals', 'a stand-in of eight'] as const).map((base, index): BookVault => {
    const vault: Address = `0x${String(index + 1).repeat(40)}`
    return { chainId: chainId === 1 ? 1 : 4663, vault, base }
  }),
)
const userAddress = `0x${'c1'.repeat(20)}`

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ addressBook: bookOfVaults(VAULTS) })
  const { sql } = api.context
  for (const { chainId, vault } of VAULTS) {
    const moment = { supply: 10n ** 9n, holders: 1, supplyBlock: 5, rateBlock: 5 }
    const at = (days: number) => ({
      ...moment,
      time: START - DAY * days,
      block: 5,
      rate: 1_000_000n + BigInt(30 - days),
    })
    const states = [at(20), at(12), at(7), at(3)] as const
    await insertLife(sql, { chainId, vault, openingRate: 999_999n, states: [...states] })
    await insertFacts(sql, 'share_balance', [
      { chain_id: chainId, vault, account: userAddress, balance: 12_345_678 },
    ])
  }
})
afterAll(() => api?.stop())

/** No node runs, so pages that would have a row of now are asked for without it. */
const PAST = { includeCurrent: false }
const ANSWERED: [string, string, Record<string, unknown>][] = [
  ['growth', 'vaultApys', {}],
  ['growth of a day, by hours', 'vaultApys', { apyWindow: DAY, interval: 3_600, pageSize: 100 }],
  [
    'growth, newest first',
    'vaultApys',
    { ...PAST, orderByTimestamp: 'desc', filter: 'chainId = 1' },
  ],
  ['growth in a range', 'vaultApys', { startTime: START - 5 * DAY, endTime: START }],
  ['growth in no time', 'vaultApys', { startTime: START, endTime: START }],
  ['growth before all', 'vaultApys', { startTime: 0, endTime: 5 }],
  ['worth', 'vaultTvls', { ...PAST, pageSize: 100 }],
  ['worth without now', 'vaultTvls', { ...PAST, lookback: 315_360_000 }],
  ['worth, newest first', 'vaultTvls', { ...PAST, orderByTimestamp: 'desc', interval: 31_536_000 }],
  ['positions', 'userPositions', { userAddress }],
  ['a page of positions', 'userPositions', { userAddress, pageSize: 1, filter: 'chainId = 4663' }],
  ['no positions', 'userPositions', { userAddress, filter: 'chainId = 5' }],
]

test.each(ANSWERED)('behavior: %s', async (_, path, parameters) => {
  const { status, body } = await get(path, { pageSize: 10, ...parameters })
  expect([status, body]).toEqual([200, body])
})

type Bad = [string, Record<string, unknown>, string[]]

const BAD: Bad[] = [
  ['an interval of nothing', { interval: 0 }, ['interval']],
  ['an interval below an hour', { interval: 1_800 }, ['interval']],
  ['an interval of no full hours', { interval: 3_601 }, ['interval']],
  ['an interval of more than a year', { interval: 31_539_600 }, ['interval']],
  ['an interval backwards', { interval: -3_600 }, ['interval']],
  ['no lookback', { lookback: 0 }, ['lookback']],
  ['more than ten years', { lookback: 315_360_001 }, ['lookback']],
  ['a start without an end', { startTime: START }, ['endTime']],
  ['an end without a start', { endTime: START }, ['startTime']],
  ['an end before its start', { startTime: START, endTime: START - 1 }, ['startTime', 'endTime']],
  ['a filter by what is no key', { filter: 'colour = red' }, ['filter']],
  ['a filter by another type', { filter: 'chainId = one' }, ['filter']],
  ['a page of nothing', { pageSize: 0 }, ['pageSize']],
  ['a page of too much', { pageSize: 101 }, ['pageSize']],
  ['a token that is none', { pageToken: 'abc' }, ['pageToken']],
  [
    'all that can be wrong',
    {
      interval: 1,
      lookback: 0,
      startTime: 5,
      endTime: 4,
      filter: 'a =',
      pageSize: 0,
      pageToken: 'abc',
    },
    ['interval', 'lookback', 'startTime', 'endTime', 'filter', 'pageSize', 'pageToken'],
  ],
]
const BAD_WINDOWS: Bad[] = [
  ['no window', { apyWindow: 0 }, ['apyWindow']],
  ['a window of no full hours', { apyWindow: 90_000 + 1 }, ['apyWindow']],
  ['a window of less than a day', { apyWindow: 82_800 }, ['apyWindow']],
  ['a window of more than a year', { apyWindow: 31_539_600 }, ['apyWindow']],
  [
    'a bad window among others',
    { apyWindow: 1, interval: 1, filter: '(' },
    ['apyWindow', 'interval', 'filter'],
  ],
]

describe.each([
  ['vaultApys', [...BAD, ...BAD_WINDOWS]],
  ['vaultTvls', BAD],
  ['userPositions', BAD.filter(([, parameters]) => onlyOfLists(parameters))],
] as const)('%s', (path, cases) => {
  test.each([...cases])('error: %s', async (__, parameters, fields) => {
    const asked = {
      pageSize: 10,
      ...(path === 'userPositions' ? { userAddress } : {}),
      ...parameters,
    }
    const { status, body } = await get(path, asked)
    expect([status, namedBy(body.error).toSorted()]).toEqual([400, fields.toSorted()])
  })
})

test.each([
  ['an interval that is no number', 'vaultApys', { interval: 'day' }, ['interval']],
  ['a lookback with a fraction', 'vaultTvls', { lookback: '1.5' }, ['lookback']],
  ['a time that is none', 'vaultTvls', { startTime: 'now', endTime: '5' }, ['startTime']],
  ['half a range, malformed', 'vaultTvls', { startTime: '-1' }, ['startTime']],
  ['an order that is none', 'vaultTvls', { orderByTimestamp: 'ASC' }, ['orderByTimestamp']],
  ['neither true nor false', 'vaultTvls', { includeCurrent: '1' }, ['includeCurrent']],
  ['no user', 'userPositions', {}, ['userAddress']],
  ['a user that is no address', 'userPositions', { userAddress: '0x12' }, ['userAddress']],
  [
    'the malformed beside what is out of bounds',
    'vaultApys',
    { interval: 'day', apyWindow: '5', filter: '(', startTime: '5' },
    ['interval', 'apyWindow', 'filter', 'endTime'],
  ],
  [
    'a user that is none, of a filter that is none',
    'userPositions',
    { userAddress: '0x12', filter: '(', pageSize: '0' },
    ['userAddress', 'filter', 'pageSize'],
  ],
])('error: %s, over REST', async (_, path, parameters, fields) => {
  const { status, body } = await get(path, parameters)
  expect([status, namedBy(body.error).toSorted()]).toEqual([400, fields.toSorted()])
})

test('error: a good token beside a bad page size is not named', async () => {
  for (const [path, parameters] of [
    ['vaultApys', { interval: '7200' }],
    ['userPositions', { userAddress }],
  ] as const) {
    const { body } = await get(path, { ...parameters, pageSize: 1 })
    const { nextPageToken: pageToken } = body
    const refused = await get(path, { ...parameters, pageSize: 0, pageToken })
    expect(namedBy(refused.body.error)).toEqual(['pageSize'])
  }
})

function get(path: string, parameters: Record<string, unknown>) {
  const texts = Object.entries(parameters).map(([name, value]) => [name, String(value)])
  const query = new URLSearchParams(Object.fromEntries(texts))
  return getJson<Body>(`${api.url}/v2/earn/${path}?${query}`)
}

function onlyOfLists(parameters: Record<string, unknown>): boolean {
  return Object.keys(parameters).every((name) => LIST.includes(name))
}

type Refusal = { details: { fieldViolations?: { field: string }[] }[] }
type Body = { error?: Refusal; nextPageToken?: string }

function namedBy(error: Refusal | undefined): string[] {
  const violations = error?.details.flatMap(({ fieldViolations = [] }) => fieldViolations) ?? []
  return violations.map(({ field }) => field)
}
