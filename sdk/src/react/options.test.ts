import { readFileSync } from 'node:fs'
import { QueryClient } from '@tanstack/react-query'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { SentRequest } from '../connection/connection.ts'
import { createCausewayClient } from '../createCausewayClient.ts'
import * as react from './index.ts'

type Paths = Record<string, { get?: { operationId: string } }>
const file = new URL('../../../docs/openapi.json', import.meta.url)
const { paths }: { paths: Paths } = JSON.parse(readFileSync(file, 'utf8'))

/** Transactions for the wallet, which flows use, and the state of one process. */
const NOT_READ = ['deposit', 'withdraw', 'cancelWithdrawal', 'prepareTakeBack', 'getReady']

/** Where the operations that have one result have it. */
const KEYS = [
  'chains',
  'order',
  'submission',
  'userPositions',
  'withdrawalRequest',
  'smartDeposit',
  'endpoint',
  'attempts',
]

type Options = { queryKey: readonly unknown[]; initialPageParam?: object }
type Factory = ((client: object, params: object) => Options) & { key(client: object): unknown[] }

function factories(): [string, Factory][] {
  return Object.entries(react).flatMap(([name, value]): [string, Factory][] =>
    // Cast, because each of them has its own type of parameters, and nothing else has such a name.
    name.endsWith('Options') ? [[name, value as unknown as Factory]] : [],
  )
}

test('default: every read of the API has options, whose query asks it with a signal', async () => {
  const sent: SentRequest[] = []
  const signals: unknown[] = []
  const causeway = createCausewayClient({
    url: 'http://api.test',
    onRequest: (request) => sent.push(request),
    fetch: async (_, init) => {
      signals.push(init?.signal)
      return Response.json(Object.fromEntries(KEYS.map((key) => [key, []])))
    },
  })
  const client = new QueryClient()
  for (const [, factory] of factories()) {
    const options = factory(causeway, {})
    // The type of each answer is another one.
    if (options.initialPageParam) await client.prefetchInfiniteQuery(options as never)
    else await client.prefetchQuery(options as never)
  }
  const expected = Object.values(paths).flatMap(({ get }) => (get ? [get.operationId] : []))
  const asked = new Set(sent.map(({ operation }) => operation))
  expect([...asked].toSorted()).toEqual(expected.filter((id) => !NOT_READ.includes(id)).toSorted())
  expect(signals.every((signal) => signal instanceof AbortSignal)).toBe(true)
})

test('behavior: no two of them share keys', () => {
  const causeway = createCausewayClient({ url: 'http://api.test' })
  const keys = factories().map(([, { key }]) => JSON.stringify(key(causeway)))
  expect(new Set(keys).size).toBe(keys.length)
})

test('behavior: an infinite query reads page after page, and its data are rows', async () => {
  const causeway = createCausewayClient({
    url: 'http://api.test',
    fetch: async (input) => {
      const token = new URL(String(input)).searchParams.get('pageToken')
      return Response.json({
        vaults: [{ name: token ?? 'first' }],
        nextPageToken: token ? null : 'b',
      })
    },
  })
  const client = new QueryClient()
  const options = react.vaultsOptions(causeway)
  const data = await client.fetchInfiniteQuery({ ...options, pages: 3 })
  expect(options.select?.(data).map(({ name }) => name)).toEqual(['first', 'b'])
})

test.each([
  [19, 1_900, false],
  [20, 2_000, false],
  [21, 2_000, true],
])(
  'behavior: all of a list of %i pages is read at once, with its tokens',
  async (pageCount, rowCount, hasMore) => {
    const asked: (string | null)[] = []
    const causeway = createCausewayClient({
      url: 'http://api.test',
      fetch: async (input) => {
        const { searchParams } = new URL(String(input))
        const page = Number(searchParams.get('pageToken') ?? 1)
        asked.push(searchParams.get('pageSize'))
        return Response.json({
          vaults: Array.from({ length: 100 }, (_, row) => ({ name: `${page} ${row}` })),
          tokenMetadata: { [`1:${page}`]: { symbol: 'USDC' } },
          nextPageToken: page < pageCount ? String(page + 1) : null,
        })
      },
    })
    const client = new QueryClient()
    const options = react.vaultsOptions.all(causeway)
    const all = await client.fetchQuery(options)
    expect([all.rows.length, all.hasMore, Object.keys(all.tokenMetadata).length]).toEqual([
      rowCount,
      hasMore,
      rowCount / 100,
    ])
    expect(new Set(asked)).toEqual(new Set(['100']))
    // Beside the pages of the same list, and stale with them.
    await client.invalidateQueries({ queryKey: react.vaultsOptions.key(causeway) })
    expect(client.getQueryState(options.queryKey)?.isInvalidated).toBe(true)
    expect(client.getQueryData(react.vaultsOptions(causeway).queryKey)).toBeUndefined()
  },
)

test.each([
  ['a page waits for an index that catches up', {}, 'INDEX_CATCHING_UP', 6],
  ['a page asks once for what fails otherwise', {}, 'VAULT_NOT_FOUND', 1],
  ['a server asks once', undefined, 'INDEX_CATCHING_UP', 1],
])('behavior: %s', async (_, window, reason, tries) => {
  vi.stubGlobal('window', window)
  onTestFinished(() => void vi.unstubAllGlobals())
  const asked = vi.fn()
  const causeway = createCausewayClient({
    url: 'http://api.test',
    retry: { attempts: 1 },
    fetch: async () => {
      asked()
      const details = [{ reason, metadata: {}, fieldViolations: [] }]
      return Response.json({ error: { message: reason, details } }, { status: 503 })
    },
  })
  const client = new QueryClient()
  const options = { ...react.vaultsOptions.all(causeway), retryDelay: 0 }
  await expect(client.fetchQuery(options)).rejects.toMatchObject({ reason })
  expect(asked).toHaveBeenCalledTimes(tries)
})

test('behavior: a quote is indicative until the user acts, and follows the prices', async () => {
  const sent: SentRequest[] = []
  const causeway = createCausewayClient({
    url: 'http://api.test',
    onRequest: (request) => sent.push(request),
    fetch: async () => Response.json({}),
  })
  const client = new QueryClient()
  const params = {
    userAddress: '0x85A6cEaD4812bd9008FcaF460f32E388eCeAB5c3',
    offerAsset: '0x85A6cEaD4812bd9008FcaF460f32E388eCeAB5c3',
    offerAmount: 1n,
    sourceChainId: 1,
    wantAsset: '0x85A6cEaD4812bd9008FcaF460f32E388eCeAB5c3',
    destinationChainId: 1,
  } as const
  const options = react.transitQuoteOptions(causeway, params)
  const { request } = await client.fetchQuery(options)
  expect(sent.map(({ url }) => new URL(url).searchParams.get('indicative'))).toEqual(['true'])
  // It is the request of the signed quote that a flow asks for.
  expect(request).toEqual(params)
  expect(options.refetchInterval).toBe(10_000)
})
