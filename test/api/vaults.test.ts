import { setTimeout as sleep } from 'node:timers/promises'
import { maxUint256, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { WITHDRAWAL_SLAS } from '../../devnet/vaults/plan.ts'
import { VAULT_ROLES } from '../../devnet/vaults/roles.ts'
import { worldClient } from '../../devnet/world.ts'
import { startTestWorld, type TestWorld } from '../support/anvils.ts'
import { startTestApi, type TestApiOptions } from '../support/api.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { asOwner } from '../support/earn.ts'
import { type FaultyNode, startFaultyNode } from '../support/faultyNode.ts'
import { getJson } from '../support/getJson.ts'
import { handClock } from '../support/handClock.ts'
import { bookOfManyVaults } from '../support/manyVaults.ts'
import { type PageFetcher, testPageLaws } from '../support/pageLaws.ts'
import type { ErrorBody } from '../support/refusal.ts'
import { listVaultsOf, nodesOf, type VaultsBody } from '../support/vaultList.ts'

/** The list of vaults, and how many calls it makes to the nodes. */

const { tokens } = DEPLOYMENT
const CHAINS = [1, 8453, 999, 2201, 11_155_111]
/** Longer than answers of chains are cached. */
const LIFE_MS = 19_100
let started: TestWorld
beforeAll(async () => {
  started = await startTestWorld([...CHAINS, 4663], { withVaults: true })
})
afterAll(() => started?.stop())

describe('the list of vaults', () => {
  test('default: a plain deployment, field by field', async () => {
    const url = await startApi()
    const { status, body, headers } = await listVaultsOf(url, {
      filter: 'name="Harbor Dollar" AND chainId=8453',
    })
    const { vault, current } = vaultDeployment('Harbor Dollar', 8453)
    const fees = { bps: 0, percentage: '0.0000' }
    const asset = (assetAddress: string) => ({
      assetAddress,
      depositable: true,
      withdrawable: true,
      depositFees: fees,
      withdrawFees: { bps: 10, percentage: '0.1000' },
      withdrawalSLAs: Object.fromEntries(
        Object.entries(WITHDRAWAL_SLAS).map(([key, seconds]) => [key, `${seconds}s`]),
      ),
    })
    expect([status, body]).toEqual([
      200,
      {
        vaults: [
          {
            name: 'Harbor Dollar',
            deployments: [
              {
                chainId: 8453,
                boringVaultAddress: vault,
                depositorAddress: current.depositor,
                withdrawQueueAddress: current.queue,
                requiresKyt: false,
                baseTokenAddress: tokens.USDG,
                accountantAddress: current.accountant,
                tellerAddress: current.teller,
                depositFeeAddress: null,
                withdrawFeeAddress: current.withdrawFeeModule,
                inDeprecation: false,
                stale: false,
                asOf: expect.any(String),
                depositSupplyCap: {
                  raw: String(maxUint256),
                  formatted: expect.stringMatching(/^\d+\.\d+$/),
                  decimals: 6,
                  hasCap: false,
                },
                minimumWithdrawalOrderSize: { raw: '5000000', formatted: '5', decimals: 6 },
                assets: [asset(tokens.USDG), asset(tokens.USDC), asset(tokens.USDT)],
              },
            ],
          },
        ],
        nextPageToken: null,
        tokenMetadata: expect.objectContaining({
          [`8453:${DEPLOYMENT.tokens.USDC}`]: expect.objectContaining({ decimals: '6' }),
        }),
      },
    ])
    expect(headers.get('cache-control')).toBe('private, max-age=10')
  })

  test('default: fees, cap and attestation', async () => {
    const url = await startApi()
    const { body } = await listVaultsOf(url, { filter: 'name="Harbor Prime" AND chainId=1' })
    const { current } = vaultDeployment('Harbor Prime', 1)
    const [deployment] = body.vaults[0]?.deployments ?? []
    expect(deployment).toMatchObject({
      requiresKyt: true,
      depositFeeAddress: current.depositFeeModule,
      withdrawFeeAddress: current.withdrawFeeModule,
      depositSupplyCap: {
        raw: String(5_000_000n * 10n ** 18n),
        formatted: '5000000',
        decimals: 18,
        hasCap: true,
      },
    })
    expect(
      deployment?.assets.map(({ depositFees, withdrawFees }) => [depositFees, withdrawFees]),
    ).toEqual([
      [
        { bps: 5, percentage: '0.0500' },
        { bps: 10, percentage: '0.1000' },
      ],
      [
        { bps: 5, percentage: '0.0500' },
        { bps: 10, percentage: '0.1000' },
      ],
      [
        { bps: 0, percentage: '0.0000' },
        { bps: 0, percentage: '0.0000' },
      ],
    ])
  })

  test('default: the older generation, a stand-in, a deprecated one', async () => {
    const url = await startApi()
    const { body } = await listVaultsOf(url, {})
    const of = (name: string) => body.vaults.find((vault) => vault.name === name)?.deployments[0]
    expect(of('Harbor Classic')).toMatchObject({
      requiresKyt: false,
      depositFeeAddress: null,
      depositSupplyCap: { hasCap: false },
      assets: [
        { depositable: true, withdrawable: true },
        { depositable: true, withdrawable: true },
      ],
    })
    expect(of('Harbor Gold')).toMatchObject({
      baseTokenAddress: vaultDeployment('Harbor Gold', 999).base,
      minimumWithdrawalOrderSize: { raw: '1000000000000', formatted: '0.000001', decimals: 18 },
    })
    expect(of('Harbor Sunset')).toMatchObject({
      inDeprecation: true,
      assets: [{ depositable: true }, { depositable: false, withdrawable: true }],
    })
  })

  test('behavior: the filter selects deployments, and a vault has its matching ones', async () => {
    const url = await startApi()
    const names = async (filter: string) => {
      const { body } = await listVaultsOf(url, { filter })
      return body.vaults.flatMap(({ name, deployments }) =>
        deployments.map(({ chainId }) => `${name} ${chainId}`),
      )
    }
    expect(await names('requiresKyt=true')).toEqual(['Harbor Prime 1', 'Harbor Prime 11155111'])
    expect(await names('chainId=2201 OR inDeprecation=true')).toEqual([
      'Harbor Dollar 2201',
      'Harbor Sunset 11155111',
    ])
    expect(await names('chainId=1 AND requiresKyt=false AND name != "Harbor Ether"')).toEqual([
      'Harbor Classic 1',
      'Harbor Dollar 1',
    ])
    expect(await names('name="No such"')).toEqual([])
  })

  test('error: a filter that is none', async () => {
    const url = await startApi()
    const answer = await getJson<ErrorBody>(`${url}/v2/earn/vaults?filter=asset%3D1&pageSize=0`)
    expect([answer.status, answer.reason]).toEqual([400, 'INVALID_FIELD'])
  })
})

describe('reads of the chain', () => {
  test('behavior: caps, fees, minimums and flags follow after 19 s', async () => {
    const clock = handClock()
    const url = await startApi({ clock })
    const read = async () => {
      const { body } = await listVaultsOf(url, {
        filter: 'name="Harbor Prime" AND chainId=11155111',
      })
      return body.vaults[0]?.deployments[0]
    }
    expect(await read()).toMatchObject({ requiresKyt: true })
    const { current } = vaultDeployment('Harbor Prime', 11_155_111)
    const client = worldClient(started.world, 11_155_111)
    const change = (address: `0x${string}` | undefined, call: [string, ...unknown[]]) =>
      asOwner({ client }, address ?? zeroAddress, call)
    await change(current.depositor, ['function setSupplyCapInBase(uint256)', 7n * 10n ** 18n])
    await change(current.depositor, ['function setKytStatus(address, bool)', tokens.USDC, false])
    await change(current.depositor, ['function setKytStatus(address, bool)', tokens.USDS, false])
    await change(current.queue, ['function setMinimumOrderSize(uint256)', 3n * 10n ** 18n])
    await change(current.teller, ['function removeDepositAsset(address)', tokens.USDC])
    await change(current.teller, ['function removeWithdrawAsset(address)', tokens.USDG])
    await change(current.depositFeeModule, [
      ...(['function setFeeData(address, uint256, uint256)', tokens.USDC, 77n, 1n] as const),
    ])
    // The module itself is replaced, so no cached value may stay.
    await change(current.depositor, ['function setFeeModule(address)', zeroAddress])
    clock.advance(LIFE_MS)
    await expect.poll(read).toMatchObject({
      requiresKyt: false,
      depositFeeAddress: null,
      depositSupplyCap: { raw: String(7n * 10n ** 18n), formatted: '7', hasCap: true },
      minimumWithdrawalOrderSize: { formatted: '3' },
      assets: [
        { depositable: false, withdrawable: true, depositFees: { bps: 0 } },
        { depositable: true, withdrawable: true },
        { depositable: true, withdrawable: false },
      ],
    })
    await change(current.depositor, ['function setFeeModule(address)', current.depositFeeModule])
    clock.advance(LIFE_MS)
    await expect
      .poll(read)
      .toMatchObject({ assets: [{ depositFees: { bps: 77, percentage: '0.7700' } }, {}, {}] })
    // An asset that is not the base has a rate only by a source.
    const base = tokens.USDS
    const others = [tokens.USDC, tokens.USDG]
    for (const asset of others)
      await change(current.accountant, [
        ...([
          'function setRateProviderData(address, bool, address)',
          asset,
          false,
          zeroAddress,
        ] as const),
      ])
    clock.advance(LIFE_MS)
    const shut = { depositable: false, withdrawable: false }
    await expect
      .poll(read)
      .toMatchObject({ assets: [shut, { assetAddress: base, depositable: true }, shut] })
    // Without their roles the contracts answer all other reads as before.
    const { authority } = vaultDeployment('Harbor Prime', 11_155_111)
    for (const [contract, role] of [
      [current.depositor, VAULT_ROLES.depositor],
      [current.queue, VAULT_ROLES.solver],
    ])
      await change(authority, ['function setUserRole(address, uint8, bool)', contract, role, false])
    clock.advance(LIFE_MS)
    await expect.poll(read).toMatchObject({ assets: [shut, shut, shut] })
  })

  test('behavior: one call per chain and refresh, for any number of vaults and clients', async () => {
    const { world } = started
    const node = await startDoor(1)
    const addressBook = await bookOfManyVaults(world, {
      models: [{ name: 'Harbor Prime', chainId: 1 }],
      count: 96,
    })
    const clock = handClock()
    const rpcUrls = { ...nodesOf(started.world), 1: [node.rpcUrl] }
    const url = await startApi({ addressBook, clock, rpcUrls })
    const only = { filter: 'chainId=1', pageSize: '100' }
    // The first read also has to find the fee modules.
    await listVaultsOf(url, only)
    node.takeCalls()
    for (let round = 0; round < 20; round += 1) await listVaultsOf(url, only)
    expect(node.takeCalls()).toEqual([])
    clock.advance(LIFE_MS)
    // Answers are shared for a second.
    await sleep(1_100)
    const answers = await Promise.all(Array.from({ length: 20 }, () => listVaultsOf(url, only)))
    expect(node.takeCalls()).toEqual(['eth_call'])
    expect(answers.map(({ body }) => body.vaults.length)).toEqual(answers.map(() => 100))
  })

  test('behavior: a shared answer reports its degraded chains; another filter has its own answer', async () => {
    const addressBook = structuredClone(started.world.addressBook)
    const gold = addressBook.vaults
      .flatMap(({ deployments }) => deployments)
      .find(({ chainId }) => chainId === 999)
    if (!gold) throw new Error('a deployment')
    gold.queues = gold.queues.map((queue) => ({ ...queue, address: DEPLOYMENT.tokens.USDC }))
    const url = await startApi({ addressBook })
    const ask = (filter: string) =>
      getJson<VaultsBody>(`${url}/v2/earn/vaults?${new URLSearchParams({ filter })}`)
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask('chainId != 1')))
    for (const { headers, body } of answers) {
      expect(headers.get('x-degraded-chains')).toBe('999')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(body).toEqual(answers[0]?.body)
    }
    const other = await ask('chainId = 1')
    expect(other.headers.get('x-degraded-chains')).toBeNull()
    expect(other.body).not.toEqual(answers[0]?.body)
  })
})

describe('the assets', () => {
  test('default: flat, with their metadata, by every key', async () => {
    const url = await startApi()
    const read = async (filter: string) => {
      const answer = await getJson<{ vaultAssets: unknown[]; tokenMetadata: object }>(
        `${url}/v2/earn/vaultAssets?filter=${encodeURIComponent(filter)}`,
      )
      expect(undescribed(answer.url, answer.status, answer.body)).toEqual([])
      return answer.body
    }
    const { vault } = vaultDeployment('Harbor Sunset', 11_155_111)
    const fresh = { stale: false, asOf: expect.any(String) }
    const row = { vaultAddress: vault, chainId: 11_155_111, withdrawable: true, ...fresh }
    const { vaultAssets, tokenMetadata } = await read(`vaultAddress=${vault.toLowerCase()}`)
    expect(vaultAssets).toEqual(
      [
        { ...row, assetAddress: tokens.USDG, depositable: true },
        { ...row, assetAddress: tokens.USDC, depositable: false },
      ].toSorted((a, b) => (a.assetAddress.toLowerCase() < b.assetAddress.toLowerCase() ? -1 : 1)),
    )
    expect(Object.keys(tokenMetadata)).toContain(`11155111:${tokens.USDG}`)
    expect((await read(`depositable=false AND vaultAddress=${vault}`)).vaultAssets).toHaveLength(1)
    expect((await read('withdrawable=false AND chainId=1')).vaultAssets).toEqual([])
  })
})

describe('pages', () => {
  let url: string
  let names: string[]
  beforeAll(async () => {
    const { world } = started
    const addressBook = await bookOfManyVaults(world, {
      models: [{ name: 'Harbor Gold', chainId: 999 }],
      count: 20,
    })
    const api = await startTestApi({ world, addressBook })
    url = api.url
    names = addressBook.vaults.map(({ name }) => name).toSorted()
    return () => api.stop()
  })
  const fetchOf =
    (path: string, filter?: string): PageFetcher =>
    async (page) => {
      const query = new URLSearchParams({
        pageSize: String(page.pageSize),
        ...(filter ? { filter } : {}),
        ...(page.pageToken ? { pageToken: page.pageToken } : {}),
      })
      const answer = await getJson<VaultsBody & { vaultAssets: object[] }>(`${url}${path}?${query}`)
      const keys =
        path === '/v2/earn/vaults'
          ? answer.body.vaults?.map(({ name }) => name)
          : answer.body.vaultAssets?.map((row) => JSON.stringify(row))
      const { status, reason, body } = answer
      return { status, reason, keys: keys ?? [], nextPageToken: body.nextPageToken }
    }

  describe('pages of vaults by name', () => {
    testPageLaws(
      () => ({
        fetch: fetchOf('/v2/earn/vaults'),
        matching: () => names,
        others: {
          assets: fetchOf('/v2/earn/vaultAssets'),
          filtered: fetchOf('/v2/earn/vaults', 'chainId=999'),
        },
      }),
      { isGrowing: false },
    )
  })
})

test.each(['vaults', 'vaultAssets'])('error: %s, for a chain that never answered', async (list) => {
  const url = await startApi({
    rpcUrls: { ...nodesOf(started.world), 11155111: ['http://127.0.0.1:1'] },
  })
  const ask = async (filter: string) => {
    const path = `${url}/v2/earn/${list}?filter=${encodeURIComponent(filter)}`
    return (await getJson(path)).status
  }
  expect(await ask('chainId != 5')).toBe(503)
  expect(await ask('chainId = 11155111')).toBe(503)
  expect(await ask('chainId = 1')).toBe(200)
})

test('behavior: every product segment serves the same routes, and no other does', async () => {
  const { world } = started
  const api = await startTestApi({ world, productSegments: ['yield', 'grow'] })
  onTestFinished(api.stop)
  const answers = await Promise.all(
    ['earn', 'yield', 'grow', 'other'].map((segment) =>
      getJson(`${api.url}/v2/${segment}/vaults?filter=chainId%3D999`),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404])
  expect(answers[1]?.body).toEqual(answers[0]?.body)
})

async function startApi(options: TestApiOptions = {}): Promise<string> {
  const api = await startTestApi({ world: started.world, ...options })
  onTestFinished(api.stop)
  return api.url
}

async function startDoor(chainId: number): Promise<FaultyNode> {
  const url = started.world.rpcUrls[chainId] ?? ''
  const of = { rpcUrl: url, wsUrl: url.replace('http', 'ws') }
  const node = await startFaultyNode({ ...of, other: of })
  onTestFinished(node.stop)
  return node
}
