import { type Address, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEVNET_USERS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { type VaultDeployment, vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { depositInto } from '../../devnet/vaults/depositInto.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import type { AddressBook } from '../../domain/addressBook/addressBook.ts'
import { createReadStore } from '../../domain/cache/keptReads.ts'
import { createChainClients } from '../../domain/chain/chainClients.ts'
import { createKnownAddresses } from '../../domain/chain/knownAddresses.ts'
import { createVaultHoldingsCache } from '../../domain/earn/vaults/vaultHoldingsCache.ts'
import { startTestWorld, type TestWorld } from '../support/anvils.ts'
import { deploymentReader, readVault } from '../support/deploymentReader.ts'
import { asOwner } from '../support/earn.ts'
import { startFaultyNode } from '../support/faultyNode.ts'
import { handClock } from '../support/handClock.ts'
import { lower } from '../support/lower.ts'
import { revertChains } from '../support/revertChains.ts'
import { moveTokens, sendTokens, setRate, setRateSource } from '../support/vaultTokens.ts'

/** One read of all vaults of a chain; expectations are computed by hand. */

const { USDC, USDG, USDS, USDT } = DEPLOYMENT.tokens
const ETHER = 10n ** 18n
const prime = vaultDeployment('Harbor Prime', 1)
const dollar = vaultDeployment('Harbor Dollar', 1)
const gold = vaultDeployment('Harbor Gold', 999)
const REFUSER = '0x60006000fd'
const OTHER = `0x${'c1'.repeat(20)}` as const

let started: TestWorld
beforeAll(async () => {
  started = await startTestWorld([1, 999], { withVaults: true })
})
afterAll(() => started?.stop())
revertChains(() => [1, 999].map(clientOf))

const clientOf = (chainId: number) => worldClient(started.world, chainId)

const reader = (changes: Partial<World> = {}) => deploymentReader({ ...started.world, ...changes })

/** A vault's holding of one asset. */
async function readHolding(place: VaultDeployment, asset: Address, of = reader()) {
  const { holdings } = await readVault(of, place)
  return holdings.find((holding) => holding.asset === lower(asset))
}

describe('holdings', () => {
  test('default: every asset with its value, rate and fee, of one block', async () => {
    const client = clientOf(1)
    await sendTokens(client, prime, [USDC, 1_234_567n])
    await sendTokens(client, prime, [USDS, 1n])
    await setRate(client, prime, 1_000_300_000_900_000_000n)
    const { timestamp } = await client.getBlock()
    const common = { hasRateSource: true }
    expect(await readVault(reader(), prime)).toEqual({
      decimals: 18,
      isPaused: false,
      blockTimestamp: Number(timestamp),
      holdings: [
        {
          ...common,
          asset: lower(USDC),
          assetDecimals: 6,
          balance: 1_234_567n,
          valueInBase: 1_234_567n * 10n ** 12n,
          rateInQuote: 1_000_300n,
          withdrawFee: { bps: 10n, flat: 50_000n },
        },
        {
          ...common,
          asset: lower(USDS),
          assetDecimals: 18,
          balance: 1n,
          valueInBase: 1n,
          rateInQuote: 1_000_300_000_900_000_000n,
          withdrawFee: { bps: 10n, flat: ETHER / 20n },
        },
        {
          ...common,
          asset: lower(USDG),
          assetDecimals: 6,
          balance: 0n,
          valueInBase: 0n,
          rateInQuote: 1_000_300n,
          withdrawFee: { bps: 0n, flat: 0n },
        },
      ],
    })
  })

  test('behavior: a deposit adds to it, and the manager of the vault takes it out', async () => {
    const client = clientOf(1)
    const [user] = DEVNET_USERS
    if (!user) throw new Error('a user')
    const deposit = { user, deployment: dollar, asset: USDC, amount: 2_500_000n }
    await depositInto(started.world, deposit)
    expect(await readHolding(dollar, USDC)).toMatchObject({
      balance: 2_500_000n,
      valueInBase: 2_500_000n,
      withdrawFee: { bps: 10n, flat: 0n },
    })
    await moveTokens(client, dollar, [USDC, 2_499_999n])
    expect(await readHolding(dollar, USDC)).toMatchObject({ balance: 1n, valueInBase: 1n })
  })

  test("behavior: a stand-in is none of them, and a provider's rate is in the asset's decimals", async () => {
    const client = clientOf(999)
    await sendTokens(client, gold, [USDS, 40_000n * ETHER + 3n])
    await sendTokens(client, gold, [USDC, 3_999_999n])
    const { holdings } = await readVault(reader(), gold)
    expect(holdings.map(({ asset }) => asset)).toEqual([lower(USDS), lower(USDC)])
    // 1/4000 of an ounce each; the value of 3 wei rounds to 0.
    expect(holdings.map(({ valueInBase }) => valueInBase)).toEqual([
      10n * ETHER,
      999_999_750_000_000n,
    ])
    expect(holdings.map(({ rateInQuote }) => rateInQuote)).toEqual([4_000n * ETHER, 4_000_000_000n])
  })

  test('behavior: the base is one of them also where it is no asset of the address book', async () => {
    await sendTokens(clientOf(1), dollar, [USDG, 7n])
    const addressBook = changedBook(dollar.vault, (entry) => {
      entry.assets = entry.assets.filter(({ address }) => address !== lower(USDG))
    })
    const { holdings } = await readVault(reader({ addressBook }), dollar)
    expect(holdings.map(({ asset }) => asset)).toEqual([USDC, USDT, USDG].map(lower))
    expect(holdings[2]).toMatchObject({ balance: 7n, valueInBase: 7n, rateInQuote: 1_000_000n })
  })

  test('behavior: an asset of more decimals than the base is floored', async () => {
    const client = clientOf(1)
    await sendTokens(client, dollar, [USDS, 1_999_999_999_999_999_999n])
    const addressBook = changedBook(dollar.vault, (entry) => {
      const [like] = entry.assets
      if (like) entry.assets = [...entry.assets, { ...like, address: lower(USDS) }]
    })
    const balance = 1_999_999_999_999_999_999n
    expect(await readHolding(dollar, USDS, reader({ addressBook }))).toMatchObject({
      balance,
      hasRateSource: false,
      valueInBase: null,
      rateInQuote: null,
    })
    await setRateSource(client, dollar, [USDS, true, zeroAddress])
    expect(await readHolding(dollar, USDS, reader({ addressBook }))).toMatchObject({
      balance,
      hasRateSource: true,
      valueInBase: 1_999_999n,
      rateInQuote: ETHER,
    })
  })

  test('behavior: rates are shown while the accountant is paused, and no fee without a module', async () => {
    const client = clientOf(1)
    await asOwner({ client }, prime.current.accountant, ['function pause()'])
    await asOwner({ client }, prime.current.queue, [
      ...(['function setFeeModule(address)', zeroAddress] as const),
    ])
    expect(await readHolding(prime, USDC)).toMatchObject({
      rateInQuote: 1_000_000n,
      withdrawFee: { bps: 0n, flat: 0n },
    })
  })

  test('behavior: nothing that a contract named before is believed', async () => {
    const client = clientOf(999)
    await sendTokens(client, gold, [USDC, 4_000_000n])
    const of = reader()
    const read = async () => {
      const holding = await readHolding(gold, USDC, of)
      return [holding?.hasRateSource, holding?.valueInBase, holding?.rateInQuote]
    }
    expect(await read()).toEqual([true, ETHER / 1_000n, 4_000_000_000n])
    // Returns 125.
    await client.setCode({ address: OTHER, bytecode: '0x607d60005260206000f3' })
    await setRateSource(client, gold, [USDC, false, OTHER])
    expect(await read()).toEqual([true, ETHER / 2_000n, 8_000_000_000n])
    // The rate provider of a pegged asset is not asked.
    await client.setCode({ address: OTHER, bytecode: REFUSER })
    await setRateSource(client, gold, [USDC, true, OTHER])
    expect(await read()).toEqual([true, 4n * ETHER, 1_000_000n])
    await setRateSource(client, gold, [USDC, false, OTHER])
    expect(await read()).toEqual([true, null, null])
    await setRateSource(client, gold, [USDC, false, zeroAddress])
    expect(await read()).toEqual([false, null, null])
  })
})

describe('calls to the nodes', () => {
  test('behavior: one call per chain, once the references between contracts are cached', async () => {
    const url = started.world.rpcUrls[999] ?? ''
    const place = { rpcUrl: url, wsUrl: url.replace('http', 'ws') }
    const node = await startFaultyNode({ ...place, other: place })
    try {
      const of = reader({ rpcUrls: { 999: node.rpcUrl } })
      // Reads the chain id, and the contracts that the accountant and the queue refer to.
      await of.holdings(999)
      expect(node.takeCalls()).toEqual(['eth_chainId', 'eth_call', 'eth_call'])
      await of.holdings(999)
      expect(node.takeCalls()).toEqual(['eth_call'])
    } finally {
      await node.stop()
    }
  })

  test('behavior: all requests within 20 s share one read, and a failure within 2 s', async () => {
    const url = started.world.rpcUrls[1] ?? ''
    const place = { rpcUrl: url, wsUrl: url.replace('http', 'ws') }
    const node = await startFaultyNode({ ...place, other: place })
    try {
      const book = started.world.addressBook
      const chains = createChainClients([{ chainId: 1, rpcUrls: [node.rpcUrl] }], book)
      const clock = handClock()
      const shared = createVaultHoldingsCache(book, {
        chains,
        known: createKnownAddresses(),
        store: createReadStore('test', { max: 10, clock }),
      })
      await node.fall('faults')
      await expect(shared.get(1)).rejects.toMatchObject({ reason: 'RPC_UNAVAILABLE' })
      await node.fall('well')
      await expect(shared.get(1)).rejects.toMatchObject({ reason: 'RPC_UNAVAILABLE' })
      clock.advance(2_100)
      const [first, second] = await Promise.all([shared.get(1), shared.get(1)])
      expect(second).toBe(first)
      node.takeCalls()
      expect(await shared.get(1)).toBe(first)
      expect(node.takeCalls()).toEqual([])
    } finally {
      await node.stop()
    }
  })
})

type Entry = AddressBook['vaults'][number]['deployments'][number]

/** The address book with one deployment changed. */
function changedBook(vault: Address, change: (entry: Entry) => void): AddressBook {
  const book = structuredClone(started.world.addressBook)
  for (const entry of book.vaults.flatMap(({ deployments }) => deployments))
    if (entry.vault.address === lower(vault) && entry.chainId === 1) change(entry)
  return book
}
