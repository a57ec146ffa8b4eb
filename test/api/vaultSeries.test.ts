import { type Address, formatUnits, getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apy } from '../../domain/earn/apy.ts'
import { selectDeployments } from '../../domain/earn/deploymentFilter.ts'
import { seriesPlaces } from '../../domain/earn/selectSeries.ts'
import type { SeriesQuery } from '../../domain/earn/seriesQuery.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { apyByDecimals } from '../support/apyByDecimals.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { getJson } from '../support/getJson.ts'
import { type PageFetcher, testPageLaws } from '../support/pageLaws.ts'
import { seededRandom } from '../support/seededRandom.ts'
import { type BookVault, bookOfVaults } from '../support/vaultBook.ts'
import {
  createVaultTables,
  insertLife,
  stateAt,
  type VaultLife,
  type VaultMoment,
} from '../support/vaultLives.ts'

/** Series over lives that are drawn, against what they come to when every change is looked at. */

const HOUR = 3_600
const DAY = 24 * HOUR
const START = 1_700_006_400
const SEED = Number(process.env.SEED ?? 42)
const heads: Record<number, number> = { 1: START + 40 * DAY + 1_234, 4663: START + 38 * DAY }
const address = (digit: string): Address => `0x${digit.repeat(40)}`

const VAULTS: BookVault[] = [
  { chainId: 1, vault: address('b'), base: 'six decimals' },
  { chainId: 1, vault: address('a'), base: 'eighteen decimals' },
  { chainId: 4663, vault: address('a'), base: 'six decimals' },
  { chainId: 4663, vault: address('c'), base: 'a stand-in of eight', inDeprecation: true },
  { chainId: 4663, vault: address('e'), base: 'six decimals' },
]
const DECIMALS = { 'six decimals': 6, 'eighteen decimals': 18, 'a stand-in of eight': 8 }
const SYMBOLS = { 'six decimals': 'SIX', 'eighteen decimals': 'BIG', 'a stand-in of eight': 'XAU' }
/** In the order of series. */
const ORDERED = VAULTS.toSorted((a, b) => a.chainId - b.chainId || (a.vault < b.vault ? -1 : 1))

type Row = { vaultAddress: Address; chainId: number; timestamp: string; interval: string }
type ApyRow = Row & { apy: string | null }
type TvlRow = Row & { tvl: string; tvlAsset: string }
type Body = { vaultApys: ApyRow[]; vaultTvls: TvlRow[]; nextPageToken: string | null }
type Asked = {
  interval?: number
  lookback?: number
  startTime?: number
  endTime?: number
  orderByTimestamp?: 'asc' | 'desc'
  apyWindow?: number
  includeCurrent?: boolean
}

let api: TestApi
const lives: VaultLife[] = []
const random = seededRandom(SEED)
beforeAll(async () => {
  api = await startTestApi({ addressBook: bookOfVaults(VAULTS) })
  await createVaultTables(api.context.sql)
  for (const [chainId, time] of Object.entries(heads)) await setHead(Number(chainId), time)
  // The last one is born later.
  for (const [index, entry] of VAULTS.slice(0, -1).entries())
    await addLife(drawLife(entry, index * 3 * DAY))
})
afterAll(() => api?.stop())

describe.each([
  ['vaultApys', 'asc'],
  ['vaultApys', 'desc'],
  ['vaultTvls', 'asc'],
  ['vaultTvls', 'desc'],
] as const)('%s, %s', (series, orderByTimestamp) => {
  const window = { startTime: START, endTime: START + 900 * DAY, orderByTimestamp }
  testPageLaws(() => ({
    fetch: list(series, window),
    matching: () => expectedRows(window).map(keyOf),
    insert: moreTime,
    others: {
      'the other order': list(series, {
        ...{ ...window, orderByTimestamp: orderByTimestamp === 'asc' ? 'desc' : 'asc' },
      }),
      'another interval': list(series, { ...window, interval: 2 * HOUR }),
      'another start': list(series, { ...window, startTime: START - 1 }),
      'another filter': list(series, window, 'chainId = 1'),
      'no range': list(series, { orderByTimestamp, lookback: 30 * DAY }),
      'another lookback': list(series, { ...window, lookback: 5 * DAY }),
      ...(series === 'vaultApys'
        ? { 'another window': list(series, { ...window, apyWindow: HOUR }) }
        : {
            'the other series': list('vaultApys', window),
            'rows of now': list(series, { ...window, includeCurrent: true }),
          }),
    },
  }))
})

describe('every row', () => {
  const cases: [string, Asked, string?][] = [
    ['days', {}],
    ['hours', { interval: HOUR, lookback: 5 * DAY }],
    ['five hours', { interval: 5 * HOUR, lookback: 40 * DAY }],
    ['newest first', { orderByTimestamp: 'desc' }],
    ['a range', { startTime: START + 5 * DAY, endTime: START + 9 * DAY }],
    ['a range that begins between', { startTime: START + 5 * DAY - 1, endTime: START + 6 * DAY }],
    ['a range before all', { startTime: 0, endTime: START - DAY }],
    ['a range after all', { startTime: START + 9_000 * DAY, endTime: START + 9_001 * DAY }],
    ['ten years', { lookback: 3_650 * DAY, interval: 7 * DAY }],
    ['one vault', { interval: HOUR, lookback: 2 * DAY }, `vaultAddress = ${address('b')}`],
    ['a vault of two chains', {}, `vaultAddress = ${getAddress(address('a'))}`],
    ['a chain', {}, 'chainId != 1'],
    ['none', {}, 'chainId = 1 AND chainId = 4663'],
    ['the growth of an hour', { apyWindow: HOUR, interval: HOUR, lookback: 3 * DAY }],
    ['the growth of a year', { apyWindow: 365 * DAY }],
  ]

  test.each(cases)('behavior: growth, %s', async (_, asked, filter) => {
    const rows = await walk('vaultApys', asked, filter)
    expect(rows.map(({ apy: _apy, ...row }) => row)).toEqual(expectedRows(asked, filter).map(toRow))
    expect(rows.map((row) => row.apy)).toEqual(
      expectedRows(asked, filter).map((row) => expectedApy(row, asked.apyWindow)),
    )
  })

  test.each(cases)('behavior: worth, %s', async (_, asked, filter) => {
    const rows = await walk('vaultTvls', asked, filter)
    expect(rows).toEqual(
      expectedRows(asked, filter).map((row) => ({ ...toRow(row), ...expectedTvl(row) })),
    )
  })
})

test('behavior: recomputing growth from the two rates of a row gives its digits', async () => {
  const query = `{ vaultApys(
    startTime: ${START + 9 * DAY}, endTime: ${START + 16 * DAY}, interval: 3600,
    apyWindow: 172800, pageSize: 100
  ) { vaultApys {
    timestamp startTime windowSeconds startRate endRate startBlock endBlock apy } } }`
  const { body } = await ask<{ data: { vaultApys: { vaultApys: GraphqlApy[] } } }>(query)
  const rows = body.data.vaultApys.vaultApys
  const range = { startTime: START + 9 * DAY, endTime: START + 16 * DAY, interval: HOUR }
  const expected = expectedRows(range).slice(0, 100)
  expect(rows.map(({ startBlock, endBlock }) => [startBlock, endBlock])).toEqual(
    expected.map(({ life, at, state }) => {
      const windowSeconds = Math.min(2 * DAY, at - life.states[0].time)
      return [stateAt(life, at - windowSeconds)?.rateBlock, state.rateBlock]
    }),
  )
  for (const row of rows) {
    const { startRate, endRate, windowSeconds } = row
    expect(Date.parse(row.timestamp) - Date.parse(row.startTime)).toBe(windowSeconds * 1_000)
    expect(row.apy).toBe(apyByDecimals(BigInt(startRate), BigInt(endRate), windowSeconds))
  }
  expect(new Set(rows.map((row) => row.apy)).size).toBeGreaterThan(2)
  const isYoung = ({ windowSeconds }: GraphqlApy) => windowSeconds < 2 * DAY
  expect(rows.some((row) => isYoung(row) && row.startBlock !== null)).toBe(true)
})

type GraphqlApy = Record<'timestamp' | 'startTime' | 'startRate' | 'endRate', string> & {
  windowSeconds: number
  startBlock: number | null
  endBlock: number | null
  apy: string | null
}

test('default: the answer of a first page', async () => {
  const { status, headers, body, url } = await get('vaultTvls', {}, 'chainId = 1')
  expect(status).toBe(200)
  expect(headers.get('x-indexed-blocks')).toBe('1=1000')
  expect(undescribed(url, status, body)).toEqual([])
  expect(body.vaultTvls).toHaveLength(25)
  const [row] = body.vaultTvls
  expect(row?.timestamp).toMatch(/T00:00:00\.000Z$/)
  expect(row?.interval).toBe('86400')
})

test('behavior: what no chain can be asked is left out of what is now, and told', async () => {
  const query = 'chainId = 4663'
  const { headers, body } = await getWithNow({ filter: query, pageSize: '100' })
  const past = await walk('vaultTvls', {}, query)
  expect(body.vaultTvls).toEqual(past)
  expect(headers.get('x-degraded-chains')).toBe('4663')
  expect(headers.get('cache-control')).toBe('no-store')
  const without = await get('vaultTvls', {}, query)
  expect(without.headers.get('x-degraded-chains')).toBe(null)
  expect(without.headers.get('cache-control')).toBe('private, max-age=10')
})

test('behavior: a vault whose rate only its chain can tell', async () => {
  const { sql } = api.context
  const [life] = lives.filter(({ chainId }) => chainId === 1)
  const filter = `chainId = 1 AND vaultAddress = ${life?.vault}`
  await sql`update read.vault_state set opening_rate = null where vault = ${life?.vault ?? ''}`
  await sql`update facts.vault_hour set rate = null where vault = ${life?.vault ?? ''} and chain_id = 1`
  for (const series of ['vaultApys', 'vaultTvls'] as const) {
    const { body, headers } = await get(series, {}, filter)
    expect(body[series]).toEqual([])
    expect(body.nextPageToken).not.toBe(null)
    expect(headers.get('x-degraded-chains')).toBe('1')
  }
})

describe('the turns that a page visits', () => {
  const deployments = () => selectDeployments(api.context.addressBook, null)
  const query: SeriesQuery = {
    ...{ filter: null, cursor: null, pageSize: 100, binding: '', range: null },
    ...{ lookback: 3_650 * DAY, interval: HOUR, orderByTimestamp: 'asc' },
  }
  async function countTurns(limit: number, cursor: SeriesQuery['cursor'] = null) {
    const { sql } = api.context
    const selection = { query: { ...query, cursor }, deployments: deployments(), limit }
    const [row] = await sql<{ turns: bigint; places: bigint }[]>`
      with recursive ${seriesPlaces(sql, selection)}
      select (select count(*) from turn) as turns, (select count(*) from place) as places`
    return [Number(row?.turns), Number(row?.places)]
  }

  test('behavior: are no more than it has rows, and one', async () => {
    expect(await countTurns(10)).toEqual([11, 10])
    expect(await countTurns(1)).toEqual([2, 1])
    const [turns = 0, places] = await countTurns(101, [START + 20 * DAY, 1, address('b')])
    expect([places, turns <= 102]).toEqual([101, true])
  })

  test('behavior: are none of the years between two chains of which one stands still', async () => {
    const { sql } = api.context
    const late = START + 3_650 * DAY
    await sql`update read.chain_progress set block_timestamp = ${late} where chain_id = 1`
    const ofLast: SeriesQuery['cursor'] = [(heads[4663] ?? 0) - DAY, 1, address('b')]
    const before = { ...query, lookback: 50 * DAY }
    const selection = {
      query: { ...before, cursor: ofLast },
      deployments: deployments(),
      limit: 500,
    }
    const [row] = await sql<{ turns: bigint }[]>`
      with recursive ${seriesPlaces(sql, selection)} select count(*) as turns from turn`
    await sql`update read.chain_progress set block_timestamp = ${heads[1] ?? 0} where chain_id = 1`
    expect(Number(row?.turns)).toBeLessThan(502)
  })
})

test('error: an index that is behind', async () => {
  const { sql } = api.context
  await sql`update read.chain_progress set is_ready = false where chain_id = 4663`
  for (const series of ['vaultApys', 'vaultTvls'] as const) {
    expect(await get(series, {})).toMatchObject({ status: 503, reason: 'INDEX_CATCHING_UP' })
    expect((await get(series, {}, 'chainId = 1')).status).toBe(200)
  }
  await sql`update read.chain_progress set is_ready = true where chain_id = 4663`
})

type Expected = {
  life: VaultLife
  entry: BookVault
  at: number
  state: VaultMoment
  interval: number
}

/** Every row that there should be, by looking at every multiple of the interval in every life. */
function expectedRows(asked: Asked, filter?: string): Expected[] {
  const { interval = DAY, orderByTimestamp = 'asc' } = asked
  const rows = ORDERED.flatMap((entry) => {
    const life = lives.find(
      ({ chainId, vault }) => chainId === entry.chainId && vault === entry.vault,
    )
    if (!life || !isSelected(entry, filter)) return []
    const head = heads[entry.chainId] ?? 0
    const start = asked.startTime ?? head - (asked.lookback ?? 30 * DAY)
    const end = Math.min(asked.endTime ?? head, head)
    const found: Expected[] = []
    for (let at = Math.ceil(life.states[0].time / interval) * interval; at <= end; at += interval) {
      const state = stateAt(life, at)
      if (at > start && state) found.push({ life, entry, at, state, interval })
    }
    return found
  })
  const sign = orderByTimestamp === 'asc' ? 1 : -1
  return rows.sort(
    (a, b) => sign * (a.at - b.at) || ORDERED.indexOf(a.entry) - ORDERED.indexOf(b.entry),
  )
}

function isSelected({ chainId, vault }: BookVault, filter?: string): boolean {
  const selected: Record<string, boolean> = {
    'chainId = 1': chainId === 1,
    'chainId != 1': chainId !== 1,
    'chainId = 4663': chainId === 4663,
    'chainId = 1 AND chainId = 4663': false,
    [`vaultAddress = ${address('b')}`]: vault === address('b'),
    [`vaultAddress = ${getAddress(address('a'))}`]: vault === address('a'),
  }
  return filter === undefined || selected[filter] === true
}

function toRow({ entry, at, interval }: Expected): Row {
  return {
    ...{
      vaultAddress: getAddress(entry.vault),
      chainId: entry.chainId,
      interval: String(interval),
    },
    timestamp: new Date(at * 1_000).toISOString(),
  }
}

function keyOf({ entry, at }: Expected): string {
  return `${at} ${entry.chainId} ${entry.vault}`
}

function expectedTvl({ entry, life, state }: Expected) {
  const decimals = DECIMALS[entry.base]
  const worth = (state.supply * (state.rate ?? life.openingRate ?? 0n)) / 10n ** BigInt(decimals)
  const [whole, part = ''] = formatUnits(worth, decimals).split('.')
  return { tvl: `${whole}.${part.padEnd(decimals, '0')}`, tvlAsset: SYMBOLS[entry.base] }
}

function expectedApy({ life, at, state }: Expected, apyWindow = 7 * DAY) {
  const windowSeconds = Math.min(apyWindow, at - life.states[0].time)
  const before = stateAt(life, at - windowSeconds)
  const rateOf = (moment?: VaultMoment) => moment?.rate ?? life.openingRate ?? 0n
  return apy({ startRate: rateOf(before), endRate: rateOf(state), windowSeconds })
}

/**
 * Changes at any seconds, some of them full hours; four days of mints before the rate moves, but where its
 * first block sets it, and all burnt at times.
 */
function drawLife(entry: BookVault, bornAfter: number): VaultLife {
  const unit = 10n ** BigInt(DECIMALS[entry.base])
  let time = START + bornAfter + random.integer(0, 5) * 600
  let block = 100 + bornAfter
  const states: VaultMoment[] = []
  let state = { supply: 0n, holders: 0, supplyBlock: null, rate: null, rateBlock: null } as Omit<
    VaultMoment,
    'time' | 'block'
  >
  while (time <= (heads[entry.chainId] ?? 0)) {
    const isUpdate =
      states.length === 0
        ? bornAfter > 6 * DAY
        : time > START + bornAfter + 4 * DAY && random.chance(0.4)
    const thousandths = BigInt(random.integer(999, 1_002))
    state = isUpdate
      ? { ...state, rate: ((state.rate ?? unit) * thousandths) / 1_000n, rateBlock: block }
      : {
          ...{ ...state, supplyBlock: block, holders: random.integer(0, 9) },
          supply: random.chance(0.1) ? 0n : BigInt(random.integer(1, 10 ** 9)) * 1_000_003n,
        }
    states.push({ ...state, time, block })
    const next = time + (random.chance(0.1) ? 3 * DAY : random.integer(1, 4 * HOUR))
    time = random.chance(0.2) ? Math.ceil(next / HOUR) * HOUR : next
    block += 1
  }
  const [first, ...others] = states
  if (!first) throw new Error('a life has a first state')
  // As the index has it of a vault whose first block set its rate.
  return { ...entry, openingRate: first.rate ?? unit, states: [first, ...others] }
}

async function addLife(life: VaultLife) {
  lives.push(life)
  await insertLife(api.context.sql, life)
}

async function setHead(chainId: number, time: number) {
  heads[chainId] = time
  await api.context.sql`
    update read.chain_progress set block_timestamp = ${time} where chain_id = ${chainId}`
}

/** Rows after all others, and, once, those of a vault among them. */
async function moreTime() {
  for (const chainId of [1, 4663]) await setHead(chainId, (heads[chainId] ?? 0) + DAY)
  const late = VAULTS.at(-1)
  if (late && lives.length < VAULTS.length) await addLife(drawLife(late, 2 * DAY))
}

function parametersOf(asked: Asked, filter?: string): Record<string, string> {
  const given = Object.entries(asked).map(([name, value]) => [name, String(value)])
  return { ...Object.fromEntries(given), ...(filter ? { filter } : {}) }
}

function get(series: 'vaultApys' | 'vaultTvls', asked: Asked, filter?: string, page = {}) {
  const parameters = { includeCurrent: 'false', ...parametersOf(asked, filter), ...page }
  return getJson<Body>(`${api.url}/v2/earn/${series}?${new URLSearchParams(parameters)}`)
}

function getWithNow(parameters: Record<string, string>) {
  return getJson<Body>(`${api.url}/v2/earn/vaultTvls?${new URLSearchParams(parameters)}`)
}

function ask<Answer>(query: string) {
  return getJson<Answer>(`${api.url}/graphql?${new URLSearchParams({ query })}`, {
    'apollo-require-preflight': 'yes',
  })
}

async function walk<Series extends 'vaultApys' | 'vaultTvls'>(
  series: Series,
  asked: Asked,
  filter?: string,
): Promise<Body[Series]> {
  const rows: Row[] = []
  let pageToken: string | null = null
  do {
    const page: object = { pageSize: '100', ...(pageToken ? { pageToken } : {}) }
    const { status, body } = await get(series, asked, filter, page)
    expect(status).toBe(200)
    rows.push(...body[series])
    pageToken = body.nextPageToken
  } while (pageToken)
  return rows as Body[Series]
}

function list(series: 'vaultApys' | 'vaultTvls', asked: Asked, filter?: string): PageFetcher {
  return async ({ pageSize, pageToken }) => {
    const page = { pageSize: String(pageSize), ...(pageToken ? { pageToken } : {}) }
    const { status, reason, body } = await get(series, asked, filter, page)
    const rows: Row[] = body[series] ?? []
    return {
      ...{ status, reason, nextPageToken: body.nextPageToken ?? null },
      keys: rows.map(
        ({ timestamp, chainId, vaultAddress }) =>
          `${Date.parse(timestamp) / 1_000} ${chainId} ${vaultAddress.toLowerCase()}`,
      ),
    }
  }
}
