import { getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seriesPlaces } from '../../domain/earn/series/selectSeries.ts'
import type { SeriesQuery } from '../../domain/earn/series/seriesQuery.ts'
import { selectDeployments } from '../../domain/earn/vaults/deploymentFilter.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { apyByDecimals } from '../support/apyByDecimals.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { getJson } from '../support/getJson.ts'
import { type PageFetcher, testPageLaws } from '../support/pageLaws.ts'
import { seededRandom } from '../support/seededRandom.ts'
import { setHeadTime, setReady } from '../support/testIndex.ts'
import { type BookVault, bookOfVaults } from '../support/vaultBook.ts'
import { insertLife, stateAt, type VaultLife } from '../support/vaultLives.ts'
import {
  type AskedSeries,
  address,
  DAY,
  drawLife,
  expectedApy,
  expectedRows,
  expectedTvl,
  FIRST_HEADS,
  HOUR,
  keyOf,
  type SeriesRow,
  type SeriesTruth,
  START,
  toRow,
  VAULTS,
} from './vaultSeriesOracle.ts'

/** Series over random histories of vaults, compared with an oracle that looks at every change. */

const SEED = Number(process.env.SEED ?? 42)
const truth: SeriesTruth = { lives: [], heads: { ...FIRST_HEADS } }
const { lives, heads } = truth

type Body = {
  vaultApys: (SeriesRow & { apy: string | null; windowSeconds: number })[]
  vaultTvls: (SeriesRow & { tvl: string; tvlAsset: string })[]
  nextPageToken: string | null
}

let api: TestApi
const random = seededRandom(SEED)
beforeAll(async () => {
  api = await startTestApi({ addressBook: bookOfVaults(VAULTS) })
  for (const [chainId, time] of Object.entries(heads)) await setHead(Number(chainId), time)
  // The last vault starts later.
  for (const [index, entry] of VAULTS.slice(0, -1).entries())
    await addLife(drawLife(random, { entry, bornAfter: index * 3 * DAY, head: headOf(entry) }))
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
    matching: () => expectedRows(truth, window, { minimumAge: leastAge(series) }).map(keyOf),
    insert: moreTime,
    others: {
      'the other order': list(series, {
        ...window,
        orderByTimestamp: orderByTimestamp === 'asc' ? 'desc' : 'asc',
      }),
      'another interval': list(series, { ...window, interval: 2 * HOUR }),
      'another start': list(series, { ...window, startTime: START - 1 }),
      'another filter': list(series, window, 'chainId = 1'),
      'no range': list(series, { orderByTimestamp, lookback: 30 * DAY }),
      'another lookback': list(series, { ...window, lookback: 5 * DAY }),
      ...(series === 'vaultApys'
        ? {
            'another window': list(series, { ...window, apyWindow: DAY }),
            'rows of now': list(series, { ...window, includeCurrent: true }),
          }
        : {
            'the other series': list('vaultApys', window),
            'rows of now': list(series, { ...window, includeCurrent: true }),
          }),
    },
  }))
})

describe('every row', () => {
  const cases: [string, AskedSeries, string?][] = [
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
    ['the growth of a day', { apyWindow: DAY, interval: HOUR, lookback: 3 * DAY }],
    ['the growth of a year', { apyWindow: 365 * DAY }],
  ]

  test.each(cases)('behavior: growth, %s', async (_, asked, filter) => {
    const rows = await walk('vaultApys', asked, filter)
    expect(rows).toEqual(
      expectedRows(truth, asked, { filter, minimumAge: DAY }).map((row) => ({
        ...toRow(row),
        ...expectedApy(row, asked.apyWindow),
      })),
    )
  })

  test.each(cases)('behavior: worth, %s', async (_, asked, filter) => {
    const rows = await walk('vaultTvls', asked, filter)
    expect(rows).toEqual(
      expectedRows(truth, asked, { filter }).map((row) => ({ ...toRow(row), ...expectedTvl(row) })),
    )
  })
})

test('behavior: recomputing growth from the two rates of a row gives its digits', async () => {
  const query = `{ vaultApys(
    startTime: ${START + 9 * DAY}, endTime: ${START + 16 * DAY}, interval: 3600,
    apyWindow: 172800, includeCurrent: false, pageSize: 100
  ) { vaultApys {
    timestamp startTime windowSeconds startRate endRate startBlock endBlock apy } } }`
  const { body } = await ask<{ data: { vaultApys: { vaultApys: GraphqlApy[] } } }>(query)
  const rows = body.data.vaultApys.vaultApys
  const range = { startTime: START + 9 * DAY, endTime: START + 16 * DAY, interval: HOUR }
  const expected = expectedRows(truth, range, { minimumAge: DAY }).slice(0, 100)
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

test('error: a chain that never answered has no present row: an error, beside the past in GraphQL', async () => {
  const query = 'chainId = 4663'
  const { status, reason } = await getWithNow({ filter: query, pageSize: '100' })
  expect([status, reason]).toEqual([503, 'RPC_UNAVAILABLE'])
  const rows = 'vaultTvls { timestamp stale asOf }'
  const { body } = await ask<{ data: object; errors: object[] }>(
    `{ vaultTvls(filter: "${query}", pageSize: 100) { ${rows} } }`,
  )
  const past = await walk('vaultTvls', {}, query)
  const indexed = past.map(({ timestamp }) => ({ timestamp, stale: false, asOf: null }))
  expect(body.data).toEqual({ vaultTvls: { vaultTvls: indexed } })
  expect(body.errors).toMatchObject([
    {
      path: ['vaultTvls'],
      extensions: { details: [{ reason: 'RPC_UNAVAILABLE', metadata: { chainId: '4663' } }] },
    },
  ])
  const without = await get('vaultTvls', {}, query)
  expect(without.headers.get('x-degraded-chains')).toBe(null)
  expect(without.headers.get('cache-control')).toBe('private, max-age=10')
})

describe('the turns that a page visits', () => {
  const deployments = () => selectDeployments(api.context.addressBook, null)
  const query: SeriesQuery = {
    filter: null,
    cursor: null,
    pageSize: 100,
    binding: '',
    range: null,
    lookback: 3_650 * DAY,
    interval: HOUR,
    orderByTimestamp: 'asc',
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

  test('behavior: there are no rows for the years between two chains of which one has stopped', async () => {
    const { sql } = api.context
    const late = START + 3_650 * DAY
    await setHeadTime(sql, 1, late)
    const ofLast: SeriesQuery['cursor'] = [(heads[4663] ?? 0) - DAY, 1, address('b')]
    const before = { ...query, lookback: 50 * DAY }
    const selection = {
      query: { ...before, cursor: ofLast },
      deployments: deployments(),
      limit: 500,
    }
    const [row] = await sql<{ turns: bigint }[]>`
      with recursive ${seriesPlaces(sql, selection)} select count(*) as turns from turn`
    await setHeadTime(sql, 1, heads[1] ?? 0)
    expect(Number(row?.turns)).toBeLessThan(502)
  })
})

test('error: an index that is behind', async () => {
  const { sql } = api.context
  await setReady(sql, 4663, false)
  for (const series of ['vaultApys', 'vaultTvls'] as const) {
    expect(await get(series, {})).toMatchObject({ status: 503, reason: 'INDEX_CATCHING_UP' })
    expect((await get(series, {}, 'chainId = 1')).status).toBe(200)
  }
  await setReady(sql, 4663, true)
})

test('error: a vault whose rate only its chain has, which never answered', async () => {
  const { sql } = api.context
  const [life] = lives.filter(({ chainId }) => chainId === 1)
  const filter = `chainId = 1 AND vaultAddress = ${life?.vault}`
  await sql`update facts.vault_state set opening_rate = null where vault = ${life?.vault ?? ''}`
  await sql`update facts.vault_hour set rate = null where vault = ${life?.vault ?? ''} and chain_id = 1`
  for (const series of ['vaultApys', 'vaultTvls'] as const) {
    const { status, reason } = await get(series, {}, filter)
    expect([status, reason]).toEqual([503, 'RPC_UNAVAILABLE'])
  }
})

/** Growth of less than a day is no yearly rate. */
const leastAge = (series: 'vaultApys' | 'vaultTvls') => (series === 'vaultApys' ? DAY : 0)

const headOf = ({ chainId }: BookVault) => heads[chainId] ?? 0

async function addLife(life: VaultLife) {
  lives.push(life)
  await insertLife(api.context.sql, life)
}

async function setHead(chainId: number, time: number) {
  heads[chainId] = time
  await setHeadTime(api.context.sql, chainId, time)
}

/** Adds rows after all others, and once the rows of a vault among them. */
async function moreTime() {
  for (const chainId of [1, 4663]) await setHead(chainId, (heads[chainId] ?? 0) + DAY)
  const late = VAULTS.at(-1)
  if (late && lives.length < VAULTS.length)
    await addLife(drawLife(random, { entry: late, bornAfter: 2 * DAY, head: headOf(late) }))
}

function parametersOf(asked: AskedSeries, filter?: string): Record<string, string> {
  const given = Object.entries(asked).map(([name, value]) => [name, String(value)])
  return { ...Object.fromEntries(given), ...(filter ? { filter } : {}) }
}

function get(series: 'vaultApys' | 'vaultTvls', asked: AskedSeries, filter?: string, page = {}) {
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
  asked: AskedSeries,
  filter?: string,
): Promise<Body[Series]> {
  const rows: SeriesRow[] = []
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

function list(series: 'vaultApys' | 'vaultTvls', asked: AskedSeries, filter?: string): PageFetcher {
  return async ({ pageSize, pageToken }) => {
    const page = { pageSize: String(pageSize), ...(pageToken ? { pageToken } : {}) }
    const { status, reason, body } = await get(series, asked, filter, page)
    const rows: SeriesRow[] = body[series] ?? []
    return {
      status,
      reason,
      nextPageToken: body.nextPageToken ?? null,
      keys: rows.map(
        ({ timestamp, chainId, vaultAddress }) =>
          `${Date.parse(timestamp) / 1_000} ${chainId} ${vaultAddress.toLowerCase()}`,
      ),
    }
  }
}
