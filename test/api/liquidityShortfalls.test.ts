import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { depositInto } from '../../devnet/vaults/depositInto.ts'
import type { AddressBook } from '../../domain/addressBook/addressBook.ts'
import { earnDeployments } from '../../domain/earn/vaults/deployments.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { askBothDoors, type Field } from '../support/bothDoors.ts'
import { type EarnWorld, startEarnWorld } from '../support/earnWorld.ts'
import { getJson } from '../support/getJson.ts'
import { lower } from '../support/lower.ts'
import { bookOfManyVaults } from '../support/manyVaults.ts'
import { type PageFetcher, testPageLaws } from '../support/pageLaws.ts'
import { setReady } from '../support/testIndex.ts'
import { insertWithdrawOrders, outcomeOf, withdrawOrder } from '../support/withdrawOrders.ts'

/** Withdrawal requests of a test's index, over real nodes, with more vaults so that there are many pages. */

type Row = { chainId: number; vaultAddress: string; assetAddress: string; shortfall: string }
type Body = { liquidityShortfalls: Row[]; nextPageToken: string | null }

const { USDC, USDG, USDT } = DEPLOYMENT.tokens
const base = vaultDeployment('Harbor Dollar', 8453)
const SHORTFALLS: Field = {
  path: '/v2/earn/liquidityShortfalls',
  field: 'liquidityShortfalls',
  selection: `{ liquidityShortfalls { vaultAddress chainId assetAddress pendingOrderCount
    pendingShares pendingAssets vaultBalance shortfall blockedBy { reason requestId } stale asOf } nextPageToken tokenMetadata }`,
  types: { filter: 'String', pageSize: 'Int!', pageToken: 'String' },
}

let earn: EarnWorld
let book: AddressBook
let api: TestApi
beforeAll(async () => {
  earn = await startEarnWorld([1, 4663, 8453])
  const { world } = earn
  const models = [{ name: 'Harbor Dollar', chainId: 1 }]
  book = await bookOfManyVaults(world, { models, count: 20 })
  await depositInto(world, { user: userAt(0), deployment: base, asset: USDG, amount: 9_990_000n })
  api = await startApi()
})
afterAll(async () => {
  await api?.stop()
  await earn?.stop()
})

/** An API whose index has a request of ten shares in every queue of chain 1, and two on 8453. */
async function startApi(options: { rpcUrls?: Record<number, string[]> } = {}): Promise<TestApi> {
  const index = { world: earn.world, addressBook: book, moreHeads: { 8453: 50 } }
  const started = await startTestApi({ ...options, ...index })
  const { sql } = started.context
  const orders = earnDeployments(book)
    .filter(({ chainId }) => chainId === 1)
    .map(({ queue, vault, assets }) => order(1, { queue, vault }, assets.at(-1)?.address ?? '0x'))
  const place = { queue: lower(base.current.queue), vault: lower(base.vault) }
  await insertWithdrawOrders(sql, [
    ...orders,
    // One request asks for exactly the balance, one for an asset without a balance.
    { ...order(8453, place, lower(USDG)), order_index: 1 },
    { ...order(8453, place, lower(USDC)), order_index: 2 },
    { ...order(8453, place, lower(USDT)), order_index: 3, ...outcomeOf('PENDING_REFUND') },
  ])
  return started
}

function order(chain_id: number, place: { queue: Address; vault: Address }, asset: Address) {
  return withdrawOrder({
    chain_id,
    ...place,
    want_asset: asset,
    order_index: 1,
    offer_amount: '10000000',
  })
}

/** The fee takes all of a request of 10^-11 of a share. In Harbor Prime it holds up the queue, so that there is a row. */
function isTooSmall(name: string): boolean {
  return name === 'Harbor Ether'
}

function ask(url: string, filter?: string, page: Record<string, string> = {}) {
  const query = new URLSearchParams({ ...page, ...(filter ? { filter } : {}) })
  return getJson<Body>(`${url}/v2/earn/liquidityShortfalls?${query}`)
}

const keyOf = ({ chainId, vaultAddress, assetAddress }: Row) =>
  `${chainId} ${vaultAddress} ${assetAddress}`.toLowerCase()

function list(filter?: string): PageFetcher {
  return async ({ pageSize, pageToken }) => {
    const { status, reason, body } = await ask(api.url, filter, {
      pageSize: String(pageSize),
      ...(pageToken ? { pageToken } : {}),
    })
    const keys = (body.liquidityShortfalls ?? []).map(keyOf)
    return { status, reason, keys, nextPageToken: body.nextPageToken ?? null }
  }
}

describe('all shortfalls', () => {
  const lacking = (): string[] => [
    ...earnDeployments(book)
      .filter(({ chainId, name }) => chainId === 1 && !isTooSmall(name))
      .map(({ vault, assets }) => `1 ${vault} ${assets.at(-1)?.address}`),
    `8453 ${base.vault} ${USDC}`.toLowerCase(),
  ]
  testPageLaws(
    () => ({
      fetch: list(),
      matching: lacking,
      others: { 'a chain': list('chainId = 1') },
    }),
    { isGrowing: false },
  )
})

test('default: demand that is met to the unit is none; a cancelled order asks for nothing', async () => {
  const { body, headers } = await ask(api.url, 'chainId = 8453')
  expect(body.liquidityShortfalls.map(keyOf)).toEqual([`8453 ${base.vault} ${USDC}`.toLowerCase()])
  expect(body.liquidityShortfalls[0]?.shortfall).toBe('9990000')
  expect(headers.get('x-indexed-blocks')).toBe('8453=50')
})

test.each([
  ['all', { pageSize: 100 }, 200],
  ['a page', { pageSize: 3 }, 200],
  [
    'a vault on a chain',
    { pageSize: 25, filter: `vaultAddress = ${base.vault} AND chainId = 8453` },
    200,
  ],
  ['a vault that there is not', { pageSize: 25, filter: `vaultAddress = ${USDC}` }, 200],
  ['a key that is none', { pageSize: 25, filter: 'status = PENDING' }, 400],
  ['a page size of 0', { pageSize: 0 }, 400],
  ['a token that is none', { pageSize: 1, pageToken: 'abc' }, 400],
])('behavior: REST and GraphQL: %s', async (_, variables, status) => {
  const { rest, graphql } = await askBothDoors(api.url, SHORTFALLS, variables)
  expect([rest.status, rest.body]).toEqual([status, rest.body])
  expect(graphql).toEqual(rest)
})

describe('a chain that cannot be asked', () => {
  const DEAD = { 8453: ['http://127.0.0.1:1'] }

  test('error: it is an error, unless the filter excludes it', async () => {
    const own = await startApi({ rpcUrls: DEAD })
    const refused = await ask(own.url, undefined, { pageSize: '100' })
    expect([refused.status, refused.reason]).toEqual([503, 'RPC_UNAVAILABLE'])
    const others = 'chainId != 8453'
    const { status, body, headers } = await ask(own.url, others, { pageSize: '100' })
    expect([status, new Set(body.liquidityShortfalls.map(({ chainId }) => chainId))]).toEqual([
      200,
      new Set([1]),
    ])
    expect(headers.get('x-degraded-chains')).toBe(null)
    expect(headers.get('x-indexed-blocks')).toBe('1=1000')
    // The state of its index does not matter then.
    await setReady(own.context.sql, 8453, false)
    expect((await ask(own.url, others)).status).toBe(200)
    await own.stop()
  })
})

test('error: the index of a chain is behind', async () => {
  const { sql } = api.context
  await setReady(sql, 8453, false)
  const { status, reason } = await ask(api.url)
  expect([status, reason]).toEqual([503, 'INDEX_CATCHING_UP'])
  expect((await ask(api.url, 'chainId = 1')).status).toBe(200)
  await setReady(sql, 8453, true)
})
