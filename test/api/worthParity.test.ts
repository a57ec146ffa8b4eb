import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { askBothDoors, type Field } from '../support/bothDoors.ts'
import { getJson } from '../support/getJson.ts'
import { insertFacts } from '../support/testIndex.ts'
import { type BookVault, bookOfVaults } from '../support/vaultBook.ts'
import { insertLife } from '../support/vaultLives.ts'

/** Whatever REST answers about what vaults are worth, GraphQL answers too, refusals included. */

const LIST = { filter: 'String', pageSize: 'Int!', pageToken: 'String' }
const SERIES = {
  ...LIST,
  startTime: 'UnixTime',
  endTime: 'UnixTime',
  lookback: 'Int!',
  interval: 'Int!',
  orderByTimestamp: 'TimeOrder!',
}
const APYS: Field = {
  path: '/v2/earn/vaultApys',
  field: 'vaultApys',
  selection: '{ vaultApys { vaultAddress chainId timestamp interval apy } nextPageToken }',
  types: { ...SERIES, apyWindow: 'Int!' },
}
const TVLS: Field = {
  path: '/v2/earn/vaultTvls',
  field: 'vaultTvls',
  selection: '{ vaultTvls { vaultAddress chainId timestamp interval tvl tvlAsset } nextPageToken }',
  types: { ...SERIES, includeCurrent: 'Boolean!' },
}
const POSITIONS: Field = {
  path: '/v2/earn/userPositions',
  field: 'userPositions',
  selection: `{ userPositions { vaultAddress chainId shareBalance positionValueInBase
    baseAssetAddress exchangeRateToBase } nextPageToken tokenMetadata }`,
  types: { ...LIST, userAddress: 'Address!' },
}

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

const ANSWERED: [string, Field, Record<string, unknown>][] = [
  ['growth', APYS, {}],
  ['growth of a day, by hours', APYS, { apyWindow: DAY, interval: 3_600, pageSize: 100 }],
  ['growth, newest first', APYS, { orderByTimestamp: 'desc', filter: 'chainId = 1' }],
  ['growth in a range', APYS, { startTime: START - 5 * DAY, endTime: START }],
  ['growth in no time', APYS, { startTime: START, endTime: START }],
  ['growth before all', APYS, { startTime: 0, endTime: 5 }],
  ['worth', TVLS, { pageSize: 100 }],
  ['worth without now', TVLS, { includeCurrent: false, lookback: 315_360_000 }],
  ['worth, newest first', TVLS, { orderByTimestamp: 'desc', interval: 31_536_000 }],
  ['positions', POSITIONS, { userAddress }],
  ['a page of positions', POSITIONS, { userAddress, pageSize: 1, filter: 'chainId = 4663' }],
  ['no positions', POSITIONS, { userAddress, filter: 'chainId = 5' }],
]

test.each(ANSWERED)('behavior: %s', async (_, field, variables) => {
  const { rest, graphql } = await askBothDoors(api.url, field, { pageSize: 10, ...variables })
  expect([rest.status, rest.body]).toEqual([200, rest.body])
  expect(graphql).toEqual(rest)
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
  ['a window of no full hours', { apyWindow: 5_400 }, ['apyWindow']],
  ['a window of more than a year', { apyWindow: 31_539_600 }, ['apyWindow']],
  [
    'a bad window among others',
    { apyWindow: 1, interval: 1, filter: '(' },
    ['apyWindow', 'interval', 'filter'],
  ],
]

describe.each([
  ['growth', APYS, [...BAD, ...BAD_WINDOWS]],
  ['worth', TVLS, BAD],
  ['positions', POSITIONS, BAD.filter(([, variables]) => onlyOfLists(variables))],
] as const)('%s', (_, field, cases) => {
  test.each([...cases])('error: %s', async (__, variables, fields) => {
    const asked = { pageSize: 10, ...(field === POSITIONS ? { userAddress } : {}), ...variables }
    const { rest, graphql } = await askBothDoors(api.url, field, asked)
    expect([rest.status, namedBy(rest).toSorted()]).toEqual([400, fields.toSorted()])
    expect([graphql.status, describedBy(graphql)]).toEqual([rest.status, describedBy(rest)])
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
  const query = new URLSearchParams(parameters as Record<string, string>)
  const { status, body } = await getJson(`${api.url}/v2/earn/${path}?${query}`)
  expect([status, namedBy({ body: body.error })]).toEqual([400, expect.anything()])
  expect(namedBy({ body: body.error }).toSorted()).toEqual(fields.toSorted())
})

test('error: a good token beside a bad page size is not named', async () => {
  for (const [path, parameters] of [
    ['vaultApys', { interval: '7200' }],
    ['userPositions', { userAddress }],
  ] as const) {
    const ask = (more: Record<string, string>) =>
      getJson(`${api.url}/v2/earn/${path}?${new URLSearchParams({ ...parameters, ...more })}`)
    const { body } = await ask({ pageSize: '1' })
    const { nextPageToken: pageToken } = body
    const refused = await ask({ pageSize: '0', pageToken: String(pageToken) })
    expect(namedBy({ body: refused.body.error })).toEqual(['pageSize'])
  }
})

function onlyOfLists(variables: Record<string, unknown>): boolean {
  return Object.keys(variables).every((name) => name in LIST)
}

type Violations = { fieldViolations: { field: string; description: string }[] }[]

/** What a refusal says of each field, in the order of the fields: the doors name them in their own. */
function describedBy({ body }: { body: unknown }): string[] {
  const { details = [] } = body as { details?: Violations }
  return details
    .flatMap(({ fieldViolations }) => fieldViolations)
    .map(({ field, description }) => `${field}: ${description}`)
    .toSorted()
}

function namedBy(answer: { body: unknown }): string[] {
  return describedBy(answer).map((text) => text.slice(0, text.indexOf(':')))
}
