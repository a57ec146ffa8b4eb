import {
  dehydrate,
  HydrationBoundary,
  QueryClient,
  QueryClientProvider,
  useSuspenseQuery,
} from '@tanstack/react-query'
import { createElement, type ReactNode, Suspense } from 'react'
import { renderToReadableStream, renderToString } from 'react-dom/server'
import { deserialize, serialize } from 'superjson'
import { expect, test } from 'vitest'
import { createCausewayClient } from '../createCausewayClient.ts'
import {
  CausewayProvider,
  joinQueries,
  transitOrderOptions,
  useAll,
  useCauseway,
  useList,
  useRead,
  useTransitOrder,
  useTransitOrders,
  useVaults,
  vaultsOptions,
} from './index.ts'

const orderId = `0x${'11'.repeat(32)}` as const
const ANSWERS = {
  order: {
    id: orderId,
    status: 'PROCESSING',
    amountDue: '900000000000000000000',
    createdAt: '2026-01-02T03:04:05.000Z',
  },
  vaults: [{ name: 'Harbor Dollar' }],
}

function server() {
  const asked: string[] = []
  const causeway = createCausewayClient({
    url: 'http://api.test',
    fetch: async (input) => {
      asked.push(new URL(String(input)).pathname)
      return Response.json(ANSWERS)
    },
  })
  return { asked, causeway }
}

/** Settings for TanStack that keep bigint and Date in a page's text. */
function createQueryClient() {
  return new QueryClient({
    defaultOptions: {
      dehydrate: { serializeData: serialize },
      hydrate: { deserializeData: deserialize },
    },
  })
}

function app(
  causeway: ReturnType<typeof createCausewayClient>,
  client: QueryClient,
  child: ReactNode,
) {
  const provider = createElement(CausewayProvider, { client: causeway }, child)
  return createElement(QueryClientProvider, { client }, provider)
}

function Order() {
  const { data, isPending } = useTransitOrder({ orderId })
  const { data: vaults } = useVaults()
  const { data: none, fetchStatus } = useTransitOrders(null)
  const amount = data && data.amountDue + 1n
  const shown = [isPending, amount, data?.createdAt.getTime(), vaults?.[0]?.name, none, fetchStatus]
  return createElement('p', null, shown.map(String).join(' '))
}

function Suspended() {
  const { data } = useSuspenseQuery(transitOrderOptions(useCauseway(), { orderId }))
  return createElement('p', null, data.status)
}

test('default: what the server has read is in its page, and on the client again, with bigint and Date', async () => {
  const { asked, causeway } = server()
  const client = createQueryClient()
  await client.prefetchQuery(transitOrderOptions(causeway, { orderId }))
  await client.prefetchInfiniteQuery(vaultsOptions(causeway))
  const page = renderToString(app(causeway, client, createElement(Order)))
  const time = Date.parse(ANSWERS.order.createdAt)
  expect(page).toBe(`<p>false 900000000000000000001 ${time} Harbor Dollar undefined idle</p>`)
  const state = JSON.parse(JSON.stringify(dehydrate(client)))
  const hydrated = createElement(HydrationBoundary, { state }, createElement(Order))
  expect(renderToString(app(causeway, createQueryClient(), hydrated))).toBe(page)
  expect(asked).toEqual([`/v1/transit/orders/${orderId}`, '/v2/earn/vaults'])
})

function Whole() {
  const { data: order } = useRead(transitOrderOptions, { orderId })
  const { data: rows } = useList(vaultsOptions)
  const { data: names } = useAll(
    vaultsOptions,
    {},
    { select: (all) => all.rows.map(({ name }) => name) },
  )
  const none = useRead(transitOrderOptions, null)
  const joined = joinQueries({ all: useAll(vaultsOptions) }, ({ all }) => all.hasMore)
  const shown = [order?.status, rows?.length, names?.join(), none.fetchStatus, joined.data]
  return createElement('p', null, shown.map(String).join(' '))
}

test('behavior: any read and any list by its options, page by page or whole', async () => {
  const { causeway } = server()
  const client = createQueryClient()
  await client.prefetchQuery(transitOrderOptions(causeway, { orderId }))
  await client.prefetchInfiniteQuery(vaultsOptions(causeway))
  await client.prefetchQuery(vaultsOptions.all(causeway))
  const page = renderToString(app(causeway, client, createElement(Whole)))
  expect(page).toBe('<p>PROCESSING 1 Harbor Dollar idle false</p>')
})

test('behavior: without data the server renders the pending state, asks nothing and opens no stream', async () => {
  const { asked, causeway } = server()
  const page = renderToString(app(causeway, new QueryClient(), createElement(Order)))
  expect(page).toContain('true undefined')
  expect(asked).toEqual([])
})

test('behavior: the options suspend, on the server too', async () => {
  const { asked, causeway } = server()
  const tree = createElement(Suspense, { fallback: 'waiting' }, createElement(Suspended))
  const stream = await renderToReadableStream(app(causeway, new QueryClient(), tree))
  await stream.allReady
  expect(await new Response(stream).text()).toContain('<p>PROCESSING</p>')
  expect(asked).toHaveLength(1)
})

test('error: a hook outside of CausewayProvider', () => {
  const client = new QueryClient()
  const tree = createElement(QueryClientProvider, { client }, createElement(Order))
  expect(() => renderToString(tree)).toThrow('no CausewayProvider')
})
