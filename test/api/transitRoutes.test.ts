import { encodeFunctionData, getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { transitStationAbi } from '../../abis/transitStation.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { PLANNED_ROUTES, PLANNED_TOKENS, type TokenSymbol } from '../../devnet/plan.ts'
import { parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import { deployer, EIDS, send, startStationWorld } from '../devnet/stationWorld.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { getJson } from '../support/getJson.ts'
import { handClock } from '../support/handClock.ts'
import { insertDestinations, insertSources } from '../support/insertOrder.ts'
import { type PageFetcher, testPageLaws } from '../support/pageLaws.ts'
import { type Latency, type QuoteBody, quotePath } from '../support/quotes.ts'

type Listed = Record<string, unknown> & {
  sourceChainId: number
  destinationChainId: number
  offerAsset: string
  wantAsset: string
  minOrderSize: string
  estimatedLatencyMs?: number
  latency: Latency | null
}
type Body = {
  routes: Listed[]
  nextPageToken: string | null
  error?: { details: { reason?: string }[] }
}

let world: Awaited<ReturnType<typeof startStationWorld>>
let api: TestApi
const clock = handClock()
beforeAll(async () => {
  world = await startStationWorld()
  api = await startTestApi({ world, clock })
})
afterAll(async () => {
  await api?.stop()
  await world?.stop()
})

test('default: the approved routes, with both tokens, sizes and rates', async () => {
  const { routes } = (await list({ pageSize: '100' })).body
  expect(routes.map(keyOf)).toEqual([...PLANNED_ROUTES].map(plannedKey).sort(byPlace))
  const [one] = routes.filter(({ wantAsset }) => wantAsset === addressOf('USDS'))
  expect(one).toEqual({
    sourceChainId: 1,
    destinationChainId: 1,
    destinationChainEID: 30_101,
    offerAsset: addressOf('USDC'),
    wantAsset: addressOf('USDS'),
    minOrderSize: expect.stringMatching(/^\d+$/),
    maxOrderSize: null,
    conversionRateHundredthsBps: 500,
    latency: null,
    stale: false,
    asOf: expect.any(String),
    tokenMetadataMap: {
      ...metadata('USDC', 1),
      ...metadata('USDS', 1),
    },
  })
})

test('behavior: a route that its station approves no more is not listed, one that it approves again is', async () => {
  const path = `offerAsset = ${addressOf('USDT')} AND destinationChain = 1`
  const approve = (approved: boolean) =>
    send(world, 1, {
      address: DEPLOYMENT.station,
      account: deployer,
      data: encodeFunctionData({
        abi: transitStationAbi,
        functionName: 'setRouteApprovals',
        args: [
          [
            {
              destEID: EIDS[1] ?? 0,
              offerAsset: DEPLOYMENT.tokens.USDT,
              wantAsset: DEPLOYMENT.tokens.USDC,
            },
          ],
          [approved],
        ],
      }),
    })
  expect((await list({ filter: path })).body.routes).toHaveLength(1)
  await approve(false)
  clock.advance(5_100)
  expect((await list({ filter: path })).body.routes).toHaveLength(0)
  await approve(true)
  clock.advance(5_100)
  expect((await list({ filter: path })).body.routes).toHaveLength(1)
})

describe.each([
  ['sourceChainId', 'sourceChainId'],
  ['sourceChain', 'sourceChainId'],
  ['destinationChainId', 'destinationChainId'],
  ['destinationChain', 'destinationChainId'],
  ['offerAsset', 'offerAsset'],
  ['wantAsset', 'wantAsset'],
])('filtered by %s', (key, field) => {
  test.each(['=', '!='])('%s', async (operator) => {
    const { routes } = (await list({ pageSize: '100' })).body
    const values = new Set(routes.map((route) => route[field]))
    expect(values.size).toBeGreaterThan(1)
    for (const value of values) {
      const filtered = await list({ pageSize: '100', filter: `${key} ${operator} ${value}` })
      const matching = routes.filter((route) => (route[field] === value) === (operator === '='))
      expect(filtered.body.routes.map(keyOf)).toEqual(matching.map(keyOf))
    }
  })
})

test('error: a filter key that is none', async () => {
  const { status, body } = await list({ filter: 'status = PENDING' })
  expect([status, body.error?.details.at(-1)?.reason]).toEqual([400, 'INVALID_FILTER'])
})

test('error: a chain that never answered is an error, unless the filter excludes it', async () => {
  const half = await startTestApi({
    world,
    rpcUrls: { 1: [world.rpcUrls[1] ?? ''], 4663: ['http://127.0.0.1:1'] },
  })
  onTestFinished(() => half.stop())
  const failed = await list({}, half)
  const [info] = failed.body.error?.details.slice(-1) ?? []
  expect([failed.status, info]).toMatchObject([
    503,
    { reason: 'RPC_UNAVAILABLE', metadata: { chainId: '4663' } },
  ])
  const filter = 'sourceChainId = 1 AND destinationChainId = 1'
  const { status, headers, body } = await list({ filter }, half)
  expect([status, headers.get('x-degraded-chains')]).toEqual([200, null])
  expect(new Set(body.routes.map(({ destinationChainId }) => destinationChainId))).toEqual(
    new Set([1]),
  )
})

test('behavior: a route whose least order is above its largest is left out, and its chain is named', async () => {
  const { transitRoutes, ...book } = world.addressBook
  const [first, ...others] = transitRoutes
  const none = { ...first, minOrderSize: '1', maxOrderSize: '2' }
  const addressBook = parseAddressBook({ ...book, transitRoutes: [none, ...others] }, 'too small')
  const narrow = await startTestApi({ world, addressBook })
  onTestFinished(() => narrow.stop())
  const { status, headers, body } = await list({ pageSize: '100' }, narrow)
  expect([status, headers.get('x-degraded-chains')]).toEqual([
    200,
    String(first?.destinationChainId),
  ])
  expect(body.routes).toHaveLength(others.length)
  expect(body.routes.every(({ minOrderSize }) => BigInt(minOrderSize) > 2n)).toBe(true)
})

describe('paging', () => {
  const symbols = PLANNED_TOKENS.map(({ symbol }) => symbol)
  const pairs = symbols.flatMap((offer) =>
    symbols.map((want): [TokenSymbol, TokenSymbol] => [offer, want]),
  )
  const keys = pairs.map(([offer, want]) => plannedKey([1, 4663, offer, want])).sort(byPlace)
  let paged: TestApi
  beforeAll(async () => {
    const [route] = world.addressBook.transitRoutes
    const routes = pairs.map(([offer, want]) => ({
      offerAsset: DEPLOYMENT.tokens[offer],
      wantAsset: DEPLOYMENT.tokens[want],
    }))
    const data = encodeFunctionData({
      abi: transitStationAbi,
      functionName: 'setRouteApprovals',
      args: [routes.map((ends) => ({ destEID: 30_416, ...ends })), routes.map(() => true)],
    })
    await send(world, 1, { address: DEPLOYMENT.station, account: deployer, data })
    const addressBook = parseAddressBook(
      {
        ...world.addressBook,
        transitRoutes: routes.map((ends) => ({
          ...route,
          ...ends,
          sourceChainId: 1,
          destinationChainId: 4663,
        })),
      },
      'many routes',
    )
    paged = await startTestApi({ world, addressBook })
  })
  afterAll(() => paged?.stop())

  const fetchPages =
    (filter?: string): PageFetcher =>
    async ({ pageSize, pageToken }) => {
      const { status, body } = await list(
        {
          pageSize: String(pageSize),
          ...(filter ? { filter } : {}),
          ...(pageToken ? { pageToken } : {}),
        },
        paged,
      )
      return {
        status,
        reason: body.error?.details.at(-1)?.reason ?? null,
        keys: (body.routes ?? []).map(keyOf),
        nextPageToken: body.nextPageToken ?? null,
      }
    }

  // The rows come from the address book, so none is added during paging.
  testPageLaws(
    () => ({
      fetch: fetchPages(),
      matching: () => keys,
      others: { 'another filter': fetchPages('sourceChain = 1') },
    }),
    { isGrowing: false },
  )
})

describe('how long it takes', () => {
  /** Seconds to execution, by amount, of USDC from 1 to USDG on 4663. */
  const HISTORY: [amount: bigint, seconds: number][] = [
    [1_000_000_000n, 11],
    [1_100_000_000n, 13],
    [1_200_000_000n, 17],
    [1_500_000_000n, 19],
    [2_000_000_000n, 23],
    [90_000_000_000n, 300],
    [95_000_000_000n, 500],
    [99_000_000_000n, 700],
    [99_000_000_001n, 900],
  ]
  const ends = { from: 1, to: 4663, offer: 'USDC', want: 'USDG' } as const
  const quoted = async (
    of: TestApi,
    amount: bigint,
    route: Parameters<typeof quotePath>[0] = ends,
  ) => {
    const userAddress = `0x${'c3'.repeat(20)}`
    const response = await fetch(
      `${of.url}${quotePath(route, { userAddress, offerAmount: String(amount) })}`,
    )
    const body = (await response.json()) as QuoteBody
    expect(body.orderId).toMatch(/^0x/)
    return body
  }

  test('default: the median of similar orders, else of all; absent without an executed one', async () => {
    const seeded = await startTestApi({ world })
    onTestFinished(() => seeded.stop())
    const { sql } = seeded.context
    const submit = async (id: number, [amount, seconds]: [bigint, number], isExecuted = true) => {
      const order_id = `0x${id.toString(16).padStart(64, '0')}`
      const at = 1_700_000_000 + id * 100
      const offer_asset = DEPLOYMENT.tokens.USDC.toLowerCase()
      const want_asset = DEPLOYMENT.tokens.USDG.toLowerCase()
      const submission = { order_id, offer_asset, want_asset, offer_amount: amount }
      await insertSources(sql, [
        { ...submission, chain_id: 1, block_timestamp: at, destination_eid: 30_416 },
      ])
      const delivery = { order_id, chain_id: 4663, status: isExecuted ? 'PROCESSED' : 'PROCESSING' }
      await insertDestinations(sql, [{ ...delivery, last_block_timestamp: at + seconds }])
    }
    for (const [index, order] of HISTORY.entries()) await submit(index, order)
    // A partial execution does not end an order.
    await submit(50, [1_000_000_000n, 1], false)

    const latency = {
      p50Ms: 23_000,
      p90Ms: 740_000,
      p99Ms: 884_000,
      sampleSize: 9,
      windowSeconds: 800,
      // Each order took longer than nine of ten before it.
      heldP90: 0,
    }
    for (const [amount, estimatedLatencyMs] of [
      [1_300_000_000n, 17_000],
      [95_000_000_000n, 23_000],
      [20_000_000_000n, 23_000],
    ] as const)
      expect(await quoted(seeded, amount)).toMatchObject({ estimatedLatencyMs, latency })
    const unused = await quoted(seeded, 2_000_000_000n, { ...ends, offer: 'USDT' })
    expect([unused.estimatedLatencyMs, unused.latency]).toEqual([undefined, null])
    const { body } = await list(
      { filter: `offerAsset = ${addressOf('USDC')} AND destinationChain = 4663` },
      seeded,
    )
    expect(body.routes[0]).toMatchObject({ estimatedLatencyMs: 23_000, latency })
    const expectedBy = async (id: number) => {
      const orderId = `0x${id.toString(16).padStart(64, '0')}`
      const { body } = await getJson<{ order: object }>(
        `${seeded.url}/v1/transit/orders/${orderId}`,
      )
      return (body.order as { expectedBy?: string | null }).expectedBy
    }
    expect(await expectedBy(50)).toBe(new Date(1_700_005_740_000).toISOString())
    expect(await expectedBy(3)).toBeNull()
  })
})

async function list(parameters: Record<string, string>, of = api) {
  const url = `${of.url}/v1/transit/routes?${new URLSearchParams(parameters)}`
  const response = await fetch(url)
  const body = (await response.json()) as Body
  expect(undescribed(url, response.status, body)).toEqual([])
  return { status: response.status, headers: response.headers, body }
}

function addressOf(symbol: TokenSymbol): string {
  return getAddress(DEPLOYMENT.tokens[symbol])
}

type Place = [number, number, string, string]

function keyOf({ sourceChainId, destinationChainId, offerAsset, wantAsset }: Listed): string {
  const place: Place = [sourceChainId, destinationChainId, offerAsset, wantAsset]
  return JSON.stringify(place)
}

function plannedKey([source, destination, offer, want]: (typeof PLANNED_ROUTES)[number]): string {
  const place: Place = [source, destination, addressOf(offer), addressOf(want)]
  return JSON.stringify(place)
}

function byPlace(left: string, right: string): number {
  const [a, b] = [left, right].map((text) => JSON.parse(text.toLowerCase()) as Place)
  const at = (a ?? []).findIndex((part, index) => part !== b?.[index])
  return (a?.[at] ?? 0) < (b?.[at] ?? 0) ? -1 : 1
}

function metadata(symbol: TokenSymbol, chainId: number) {
  const token = PLANNED_TOKENS.find((planned) => planned.symbol === symbol)
  const entry = {
    chain_id: String(chainId),
    address: addressOf(symbol),
    name: token?.name,
    symbol,
    decimals: String(token?.decimals),
    token_standard: 'ERC20',
    ...(token && 'coinGeckoId' in token ? { coin_gecko_id: token.coinGeckoId } : {}),
  }
  return { [`${chainId}:${addressOf(symbol)}`]: entry, [addressOf(symbol)]: entry }
}
