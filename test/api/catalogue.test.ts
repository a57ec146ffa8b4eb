import { parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { worldClient } from '../../devnet/world.ts'
import type { AddressBook } from '../../domain/addressBook/addressBook.ts'
import { startTestWorld, type TestWorld } from '../support/anvils.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { askBothDoors, type Field } from '../support/bothDoors.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { startFaultyNode } from '../support/faultyNode.ts'
import { startFreshApi } from '../support/freshApi.ts'
import { getJson } from '../support/getJson.ts'
import { handClock } from '../support/handClock.ts'
import { type PageFetcher, testPageLaws } from '../support/pageLaws.ts'
import { nodesOf } from '../support/vaultList.ts'

type Chain = { chainId: number; offers: string[]; index: Record<string, unknown> | null }
type Token = {
  chainId: number
  address: string
  symbol: string
  permit: boolean | null
  usedIn: string[]
  priceUsd: { amount: string; updatedAt: string } | null
  stale: boolean
  asOf: string | null
}

const CHAINS: Field = {
  path: '/v1/core/chains',
  field: 'chains',
  selection: `{ chains { chainId name endpointId explorerUrl blockTimeSeconds finalityDepth offers
    index { block head lagSeconds isSynced } } }`,
  types: {},
}
const TOKENS: Field = {
  path: '/v1/core/tokens',
  field: 'tokens',
  selection: `{ tokens { chainId address name symbol decimals tokenStandard coinGeckoId permit usedIn
    priceUsd { amount updatedAt } stale asOf } nextPageToken }`,
  types: { filter: 'String', pageSize: 'Int!', pageToken: 'String' },
}
const feedAbi = parseAbi([
  'function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)',
])
/** The tokens of the local world whose contracts have EIP-2612 permits. */
const PERMITTING = ['USDC', 'USDG', 'USDS']

let started: TestWorld
let api: TestApi
let addressBook: AddressBook
beforeAll(async () => {
  started = await startTestWorld([1, 4663, 999], { withVaults: true })
  addressBook = started.world.addressBook
  api = await startTestApi({ world: started.world, moreHeads: { 999: 50 } })
})
afterAll(async () => {
  await api?.stop()
  await started?.stop()
})

/** A list over HTTP without a key, checked against docs/openapi.json. */
async function read<Body>(url: string, path: string, query: Record<string, string> = {}) {
  const address = `${url}${path}?${new URLSearchParams(query)}`
  const response = await fetch(address)
  const body = (await response.json()) as Body
  expect(undescribed(address, response.status, body)).toEqual([])
  return { status: response.status, headers: response.headers, body }
}

const readChains = async (url: string) =>
  (await read<{ chains: Chain[] }>(url, '/v1/core/chains')).body.chains
const readTokens = (url: string, filter = '') =>
  read<{ tokens: Token[] }>(url, '/v1/core/tokens', { pageSize: '100', filter })

describe('chains', () => {
  test('default: what the book has, what is offered, and how far the index is', async () => {
    const chains = await readChains(api.url)
    const head = Number(await worldClient(started.world, 999).getBlockNumber())
    expect(chains.map(({ chainId }) => chainId)).toEqual([1, 999, 4663])
    expect(chains[1]).toEqual({
      chainId: 999,
      name: 'HyperEVM',
      endpointId: 30_367,
      explorerUrl: 'https://hyperevmscan.io',
      blockTimeSeconds: 1,
      finalityDepth: 30,
      offers: ['EARN', 'SMART_DEPOSIT'],
      index: { block: 50, head, lagSeconds: expect.any(Number), isSynced: expect.any(Boolean) },
    })
  })

  test.each(['TRANSIT', 'EARN', 'SMART_DEPOSIT'])('behavior: %s, by the book', async (product) => {
    const { transitRoutes, vaults, chains } = addressBook
    const deployments = vaults.flatMap((vault) => vault.deployments)
    const withFactory = chains.flatMap(({ id, smartDeposit }) => (smartDeposit ? [id] : []))
    const offered = {
      TRANSIT: transitRoutes.flatMap((route) => [route.sourceChainId, route.destinationChainId]),
      EARN: deployments.map(({ chainId }) => chainId),
      SMART_DEPOSIT: deployments
        .filter(({ chainId, inDeprecation }) => !inDeprecation && withFactory.includes(chainId))
        .map(({ chainId }) => chainId),
    }[product]
    const listed = (await readChains(api.url)).filter(({ offers }) => offers.includes(product))
    expect(listed.map(({ chainId }) => chainId)).toEqual(
      [...new Set(offered)].toSorted((a, b) => a - b),
    )
  })
})

describe('tokens', () => {
  testPageLaws(
    () => ({
      fetch: fetchOf(),
      matching: () =>
        addressBook.tokens
          .toSorted((a, b) => a.chainId - b.chainId || (a.address < b.address ? -1 : 1))
          .map(({ chainId, address }) => `${chainId} ${address}`),
      others: { filtered: fetchOf('chainId != 5') },
    }),
    { isGrowing: false },
  )

  test('behavior: permits, uses and prices, by the contracts and the book', async () => {
    const { body } = await readTokens(api.url, 'chainId = 1')
    const client = worldClient(started.world, 1)
    const { transitRoutes, vaults, tokens } = addressBook
    const takenBy = (address: string) =>
      vaults
        .flatMap(({ deployments }) => deployments)
        .filter((entry) => entry.chainId === 1 && entry.assets.some((it) => it.address === address))
    for (const token of body.tokens) {
      const address = token.address.toLowerCase()
      const feed = tokens.find((one) => one.chainId === 1 && one.address === address)?.usdFeed
      const [, answer, , updatedAt] = feed
        ? await client.readContract({
            address: feed.address,
            abi: feedAbi,
            functionName: 'latestRoundData',
          })
        : []
      const isInRoute = transitRoutes.some(
        (route) =>
          (route.sourceChainId === 1 && route.offerAsset === address) ||
          (route.destinationChainId === 1 && route.wantAsset === address),
      )
      const taking = takenBy(address)
      const isPaidIn = taking.some(
        ({ inDeprecation, assets }) =>
          !inDeprecation && assets.some((it) => it.address === address && it.depositable),
      )
      expect(token).toMatchObject({
        permit: PERMITTING.includes(token.symbol),
        usedIn: [
          ...(isInRoute ? ['TRANSIT'] : []),
          ...(taking.length > 0 ? ['EARN'] : []),
          ...(isPaidIn ? ['SMART_DEPOSIT'] : []),
        ],
        priceUsd: feed
          ? {
              amount: `${String(answer).slice(0, -8)}.${String(answer).slice(-8)}`,
              updatedAt: new Date(Number(updatedAt) * 1_000).toISOString(),
            }
          : null,
        stale: false,
      })
    }
    expect(body.tokens.filter(({ priceUsd }) => priceUsd)).toHaveLength(5)
  })

  test('behavior: the filter keys', async () => {
    const only = async (filter: string) => {
      const { tokens } = (await readTokens(api.url, filter)).body
      return tokens.map(({ chainId, symbol }) => `${chainId} ${symbol}`)
    }
    expect(await only('symbol = USDC AND chainId != 999')).toEqual(['1 USDC', '4663 USDC'])
    expect(await only(`address = ${DEPLOYMENT.tokens.USDG} AND chainId = 999`)).toEqual([
      '999 USDG',
    ])
    expect(await only('symbol = usdc')).toEqual([])
  })

  test('behavior: a silent node leaves out no row: last known values, then none', async () => {
    const { world, wsUrls } = started
    const place = { rpcUrl: world.rpcUrls[1] ?? '', wsUrl: wsUrls[1] ?? '' }
    const node = await startFaultyNode({ ...place, other: place })
    onTestFinished(node.stop)
    const clock = handClock()
    const rpcUrls = { ...nodesOf(world), 1: [node.rpcUrl] }
    const silent = await startFreshApi({ world, rpcUrls, clock, moreHeads: { 999: 50 } })
    const ask = async () => {
      const [tokens, chains] = await Promise.all([readTokens(silent.url), readChains(silent.url)])
      const usdc = tokens.body.tokens.find((one) => one.chainId === 1 && one.symbol === 'USDC')
      const head = chains.find(({ chainId }) => chainId === 1)?.index?.head
      return { ...tokens, usdc, head, rows: tokens.body.tokens.length }
    }
    const fresh = await ask()
    expect(fresh.usdc).toMatchObject({ permit: true, stale: false })
    expect(fresh.headers.get('cache-control')).toBe('private, max-age=10')

    await node.fall('silent')
    clock.advance(60_000)
    const stale = await ask()
    expect(stale.usdc).toMatchObject({ permit: true, priceUsd: fresh.usdc?.priceUsd, stale: true })
    expect(stale.rows).toBe(fresh.rows)
    expect(stale.headers.get('x-degraded-chains')).toContain('1')
    expect(stale.headers.get('cache-control')).toBe('no-store')

    clock.advance(1_200_000)
    const unknown = await ask()
    expect([unknown.status, unknown.rows, unknown.head]).toEqual([200, fresh.rows, null])
    expect(unknown.usdc).toMatchObject({ permit: null, priceUsd: null, stale: false, asOf: null })
  })
})

const CASES: [name: string, field: Field, variables: Record<string, unknown>, status: number][] = [
  ['chains: all', CHAINS, {}, 200],
  ['tokens: all', TOKENS, { pageSize: 100 }, 200],
  ['tokens: a page', TOKENS, { pageSize: 2, filter: 'chainId = 1' }, 200],
  ['tokens: a filter that is none', TOKENS, { pageSize: 2, filter: 'chainId = one' }, 400],
  ['tokens: a key that is none', TOKENS, { pageSize: 2, filter: 'name = x' }, 400],
  ['tokens: a page size of 0', TOKENS, { pageSize: 0 }, 400],
  ['tokens: a page token that is none', TOKENS, { pageSize: 2, pageToken: 'abc' }, 400],
]
test.each(CASES)('behavior: over GraphQL: %s', async (_, field, variables, status) => {
  const { rest, graphql } = await askBothDoors(api.url, field, variables)
  expect(rest.status).toBe(status)
  expect(graphql).toEqual(rest)
})

function fetchOf(filter?: string): PageFetcher {
  return async ({ pageSize, ...rest }) => {
    const query = { pageSize: String(pageSize), ...rest, ...(filter ? { filter } : {}) }
    const { status, reason, body } = await getJson<{ tokens?: Token[] }>(
      `${api.url}/v1/core/tokens?${new URLSearchParams(query)}`,
    )
    const keys = (body.tokens ?? []).map((row) => `${row.chainId} ${row.address.toLowerCase()}`)
    return { status, reason, keys, nextPageToken: body.nextPageToken }
  }
}
