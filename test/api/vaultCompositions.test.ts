import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { worldClient } from '../../devnet/world.ts'
import type { TestApiOptions } from '../support/api.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { type EarnWorld, startEarnWorld } from '../support/earnWorld.ts'
import { startFaultyNode } from '../support/faultyNode.ts'
import { startFreshApi } from '../support/freshApi.ts'
import { getJson } from '../support/getJson.ts'
import { handClock } from '../support/handClock.ts'
import { lower } from '../support/lower.ts'
import { type ErrorBody, expectRefusal } from '../support/refusal.ts'
import { revertChains } from '../support/revertChains.ts'
import { nodesOf } from '../support/vaultList.ts'
import { moveTokens, sendTokens, setRateSource } from '../support/vaultTokens.ts'

/** Vault compositions over REST; expectations are computed by hand. */

const { USDC, USDG, USDS, USDT } = DEPLOYMENT.tokens
const ETHER = 10n ** 18n
const CHAINS = [1, 999, 11_155_111]
const prime = vaultDeployment('Harbor Prime', 1)
const dollar = vaultDeployment('Harbor Dollar', 1)
const classic = vaultDeployment('Harbor Classic', 1)
const ether = vaultDeployment('Harbor Ether', 1)
const gold = vaultDeployment('Harbor Gold', 999)
const sunset = vaultDeployment('Harbor Sunset', 11_155_111)
const OTHER = `0x${'c1'.repeat(20)}` as const

type Component = Record<'assetAddress' | 'amount' | 'value' | 'valueAsset' | 'weight', string>
type Composition = {
  vaultAddress: string
  chainId: number
  timestamp: string
  components: (Component & Record<string, unknown>)[]
}
type Body = { vaultCompositions: Composition[]; nextPageToken: string | null }

let earn: EarnWorld
beforeAll(async () => {
  earn = await startEarnWorld(CHAINS)
})
afterAll(() => earn?.stop())
revertChains(() => CHAINS.map(clientOf))

const clientOf = (chainId: number) => worldClient(earn.world, chainId)

/** An API without cached reads. */
async function startApi(options: TestApiOptions = {}): Promise<string> {
  return (await startFreshApi({ world: earn.world, ...options })).url
}

async function list(url: string, parameters: Record<string, string> = {}) {
  const query = new URLSearchParams(parameters)
  const answer = await getJson<Body & ErrorBody>(`${url}/v2/earn/vaultCompositions?${query}`)
  expect(undescribed(answer.url, answer.status, answer.body)).toEqual([])
  return answer
}

type Place = { vault: Address; chainId: number }

/** The composition of one vault: asset, amount, value and weight of each part. */
async function readParts({ vault, chainId }: Place, options: TestApiOptions = {}) {
  const filter = `vaultAddress=${vault} AND chainId=${chainId}`
  const { body } = await list(await startApi(options), { filter })
  return body.vaultCompositions[0]?.components.map(({ assetAddress, amount, value, weight }) => [
    assetAddress,
    amount,
    value,
    weight,
  ])
}

describe('a vault', () => {
  test('default: pegged assets of other decimals, field by field', async () => {
    const client = clientOf(1)
    await sendTokens(client, prime, [USDC, 1_234_567n])
    await sendTokens(client, prime, [USDS, 1n])
    await sendTokens(client, prime, [USDG, 2_000_000n])
    const { timestamp } = await client.getBlock()
    const { status, headers, body } = await list(await startApi(), {
      filter: `vaultAddress=${prime.vault}`,
    })
    const component = (assetAddress: string, [amount, value, weight]: string[]) => ({
      assetAddress,
      amount,
      value,
      valueAsset: 'USDS',
      weight,
      positionKind: 'ASSET',
      instrumentType: 'ERC20',
      positionRef: { type: 'TOKEN', id: `1:${assetAddress}` },
    })
    expect([status, headers.get('cache-control')]).toEqual([200, 'private, max-age=10'])
    expect(body).toEqual({
      vaultCompositions: [
        {
          vaultAddress: prime.vault,
          chainId: 1,
          timestamp: new Date(Number(timestamp) * 1_000).toISOString(),
          stale: false,
          asOf: expect.any(String),
          components: [
            // 0.6183207…, rounded up, since flooring took most from it.
            component(USDG, ['2.000000', '2.000000000000000000', '0.618321']),
            component(USDC, ['1.234567', '1.234567000000000000', '0.381679']),
            component(USDS, ['0.000000000000000001', '0.000000000000000001', '0.000000']),
          ],
        },
      ],
      nextPageToken: null,
      tokenMetadata: expect.objectContaining(
        Object.fromEntries([USDG, USDC, USDS].map((token) => [`1:${token}`, expect.anything()])),
      ),
    })
    expect(body.vaultCompositions[0]?.timestamp).toMatch(/\.000Z$/)
  })

  test('behavior: a base that is no token values by rate providers, and is called by its symbol', async () => {
    const client = clientOf(999)
    await sendTokens(client, gold, [USDS, 40_000n * ETHER + 3n])
    await sendTokens(client, gold, [USDC, 3_999_999n])
    // 10.000999999750000000 in all: 0.99990001…, 0.0000999…
    expect(await readParts(gold)).toEqual([
      [USDS, '40000.000000000000000003', '10.000000000000000000', '0.999900'],
      [USDC, '3.999999', '0.000999999750000000', '0.000100'],
    ])
    const { body } = await list(await startApi(), { filter: 'chainId=999' })
    const symbols = body.vaultCompositions[0]?.components.map(({ valueAsset }) => valueAsset)
    expect(symbols).toEqual(['XAU', 'XAU'])
  })

  test('behavior: an asset worth less than a unit of the base is a component too', async () => {
    await sendTokens(clientOf(999), gold, [USDS, 3_999n])
    expect(await readParts(gold)).toEqual([
      [USDS, '0.000000000000003999', '0.000000000000000000', '1.000000'],
    ])
  })

  test('behavior: an asset of more decimals than the base is floored; without a rate it is no part', async () => {
    const client = clientOf(1)
    await sendTokens(client, dollar, [USDS, 1_999_999_999_999_999_999n])
    await sendTokens(client, dollar, [USDT, 1_000_000n])
    const addressBook = structuredClone(earn.world.addressBook)
    const entry = addressBook.vaults
      .flatMap(({ deployments }) => deployments)
      .find(({ chainId, vault }) => chainId === 1 && vault.address === dollar.vault.toLowerCase())
    const [like] = entry?.assets ?? []
    if (!entry || !like) throw new Error('a deployment')
    entry.assets = [...entry.assets, { ...like, address: lower(USDS) }]
    const whole = [USDT, '1.000000', '1.000000', '1.000000']
    expect(await readParts(dollar, { addressBook })).toEqual([whole])
    await setRateSource(client, dollar, [USDS, true, zeroAddress])
    // 1.999999 and 1 of 2.999999: 0.66666655…, 0.33333344…
    expect(await readParts(dollar, { addressBook })).toEqual([
      [USDS, '1.999999999999999999', '1.999999', '0.666667'],
      [USDT, '1.000000', '1.000000', '0.333333'],
    ])
  })

  test('behavior: the base counts as it is, and equals are in the order of their addresses', async () => {
    const client = clientOf(1)
    for (const token of [USDG, USDC, USDT]) await sendTokens(client, dollar, [token, 1_000_000n])
    const ordered = [USDG, USDC, USDT].toSorted((a, b) => (lower(a) < lower(b) ? -1 : 1))
    expect(await readParts(dollar)).toEqual(
      ordered.map((token, index) => [
        token,
        '1.000000',
        '1.000000',
        index === 0 ? '0.333334' : '0.333333',
      ]),
    )
    // Assets that leave the vault leave its composition.
    await moveTokens(client, dollar, [USDG, 1_000_000n])
    await moveTokens(client, dollar, [USDC, 999_999n])
    // 1 and 0.000001 of 1.000001: 0.99999900…, 0.00000099…
    expect(await readParts(dollar)).toEqual([
      [USDT, '1.000000', '1.000000', '0.999999'],
      [USDC, '0.000001', '0.000001', '0.000001'],
    ])
  })

  test('behavior: an empty one has no components, one in deprecation has', async () => {
    await sendTokens(clientOf(11_155_111), sunset, [USDG, 5_000_000n])
    expect(await readParts(sunset)).toEqual([[USDG, '5.000000', '5.000000', '1.000000']])
    expect(await readParts(classic)).toEqual([])
  })
})

describe('the list', () => {
  test('default: every vault, by chain and address; by vault and chain', async () => {
    const url = await startApi()
    const places = async (parameters: Record<string, string>) => {
      const { body } = await list(url, parameters)
      return body.vaultCompositions.map((row) => `${row.chainId} ${row.vaultAddress}`)
    }
    const one = [prime, dollar, classic, ether].map(({ vault }) => vault)
    const sepolia = [vaultDeployment('Harbor Prime', 11_155_111), sunset].map(({ vault }) => vault)
    const sorted = (vaults: Address[]) => vaults.toSorted((a, b) => (lower(a) < lower(b) ? -1 : 1))
    expect(await places({})).toEqual([
      ...sorted(one).map((vault) => `1 ${vault}`),
      `999 ${gold.vault}`,
      ...sorted(sepolia).map((vault) => `11155111 ${vault}`),
    ])
    expect(await places({ filter: `vaultAddress=${lower(prime.vault)}` })).toEqual([
      `1 ${prime.vault}`,
    ])
    expect(await places({ filter: 'chainId=999' })).toEqual([`999 ${gold.vault}`])
    expect(await places({ filter: `vaultAddress=${USDC}` })).toEqual([])
  })

  test('behavior: the answer of one call of a chain is kept for 19 s', async () => {
    const rpcUrl = earn.world.rpcUrls[999] ?? ''
    const place = { rpcUrl, wsUrl: rpcUrl.replace('http', 'ws') }
    const node = await startFaultyNode({ ...place, other: place })
    onTestFinished(node.stop)
    const clock = handClock()
    const url = await startApi({ clock, rpcUrls: { ...nodesOf(earn.world), 999: [node.rpcUrl] } })
    await list(url, { filter: 'chainId=999' })
    node.takeCalls()
    await sendTokens(clientOf(999), gold, [USDC, 4n])
    const ask = async () => {
      const { body } = await list(url, { filter: 'chainId=999' })
      return body.vaultCompositions[0]?.components.length
    }
    expect(await ask()).toBe(0)
    expect(node.takeCalls()).toEqual([])
    clock.advance(19_100)
    // Answers are shared for a second.
    await sleep(1_100)
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1])
    expect(node.takeCalls()).toEqual(['eth_call'])
  })
})

describe('where something fails', () => {
  test('error: a chain that never answered is an error, unless the filter excludes it', async () => {
    const url = await startApi({
      rpcUrls: { ...nodesOf(earn.world), 999: ['http://127.0.0.1:1'] },
    })
    const metadata = { chainId: '999' }
    expectRefusal(await list(url), { reason: 'RPC_UNAVAILABLE', metadata })
    const { status, headers, body } = await list(url, { filter: 'chainId != 999' })
    expect([status, headers.get('x-degraded-chains')]).toEqual([200, null])
    expect(body.vaultCompositions.map(({ chainId }) => chainId)).toEqual([
      1, 1, 1, 1, 11_155_111, 11_155_111,
    ])
  })

  test('behavior: a holding that cannot be valued leaves its vault out, one that is not there does not', async () => {
    const client = clientOf(1)
    await sendTokens(client, prime, [USDC, 5n])
    await client.setCode({ address: OTHER, bytecode: '0x60006000fd' })
    await setRateSource(client, prime, [USDG, false, OTHER])
    expect(await readParts(prime)).toEqual([[USDC, '0.000005', '0.000005000000000000', '1.000000']])
    await sendTokens(client, prime, [USDG, 1n])
    const { status, headers, body } = await list(await startApi(), { filter: 'chainId=1' })
    expect([status, headers.get('x-degraded-chains')]).toEqual([200, '1'])
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body.vaultCompositions.map(({ vaultAddress }) => vaultAddress).toSorted()).toEqual(
      [classic, dollar, ether].map(({ vault }) => vault).toSorted(),
    )
  })
})
