import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import { startTestWorld, type TestWorld } from '../support/anvils.ts'
import { deploymentReader, readVault } from '../support/deploymentReader.ts'
import { lower } from '../support/lower.ts'
import { revertChains } from '../support/revertChains.ts'
import { sendTokens, setRateSource } from '../support/vaultTokens.ts'

/** One read of all deployments of a chain, when one deployment or the node fails. */

const { USDC, USDG, USDT } = DEPLOYMENT.tokens
const ETHER = 10n ** 18n
const prime = vaultDeployment('Harbor Prime', 1)
const dollar = vaultDeployment('Harbor Dollar', 1)
const ether = vaultDeployment('Harbor Ether', 1)
const classic = vaultDeployment('Harbor Classic', 1)
const gold = vaultDeployment('Harbor Gold', 999)
/** Code that loops for ever. */
const BURNER = '0x5b600056'
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
const all = [prime, dollar, ether, classic].map(({ vault }) => lower(vault)).toSorted()
const others = all.filter((vault) => vault !== lower(prime.vault))
const vaultsOf = async (reads: Promise<Map<Address, unknown>>) => [...(await reads).keys()].sort()

test.each(['vault', 'accountant', 'queue', 'withdrawFeeModule'] as const)(
  'behavior: no vault is hidden by the %s of another that burns all gas, or refuses',
  async (contract) => {
    const address = contract === 'vault' ? prime.vault : prime.current[contract]
    for (const bytecode of [BURNER, REFUSER] as const) {
      await clientOf(1).setCode({ address, bytecode })
      expect(await vaultsOf(reader().holdings(1))).toEqual(others)
    }
  },
)

test.each(['accountant', 'vault'] as const)(
  'behavior: a deployment without its %s is left out, and the others are not',
  async (contract) => {
    const address = contract === 'vault' ? prime.vault : prime.current[contract]
    for (const bytecode of [BURNER, REFUSER] as const) {
      await clientOf(1).setCode({ address, bytecode })
      expect(await vaultsOf(reader().states(1))).toEqual(others)
    }
  },
)

test('behavior: a token that burns all gas hides no vault that does not take it', async () => {
  await clientOf(1).setCode({ address: USDT, bytecode: BURNER })
  expect(await vaultsOf(reader().holdings(1))).toEqual(
    [prime, ether].map(({ vault }) => lower(vault)).toSorted(),
  )
})

test('behavior: nor does a provider that burns all gas, known or new', async () => {
  await clientOf(1).setCode({ address: OTHER, bytecode: BURNER })
  await setRateSource(clientOf(1), prime, [USDG, false, OTHER])
  const of = reader()
  for (let round = 0; round < 2; round += 1)
    expect(await vaultsOf(of.holdings(1))).toEqual(expect.arrayContaining(others))
})

test('behavior: an asset whose provider refuses has no value, and all else is reported', async () => {
  await sendTokens(clientOf(1), prime, [USDC, 5n])
  await clientOf(1).setCode({ address: OTHER, bytecode: REFUSER })
  await setRateSource(clientOf(1), prime, [USDG, false, OTHER])
  const { holdings } = await readVault(reader(), prime)
  expect(holdings.map(({ hasRateSource }) => hasRateSource)).toEqual([true, true, true])
  expect(holdings.map(({ valueInBase }) => valueInBase)).toEqual([5n * 10n ** 12n, 0n, null])
  expect(holdings.map(({ rateInQuote }) => rateInQuote)).toEqual([1_000_000n, ETHER, null])
})

test('behavior: a separate read has the time of its own block', async () => {
  await clientOf(1).setCode({ address: prime.current.queue, bytecode: BURNER })
  const { timestamp } = await clientOf(1).getBlock()
  const times = async (reads: Promise<Map<Address, { blockTimestamp: number }>>) =>
    [...(await reads).values()].map(({ blockTimestamp }) => blockTimestamp)
  const here = others.map(() => Number(timestamp))
  expect(await times(reader().holdings(1))).toEqual(here)
  expect(await times(reader().states(1))).toEqual(here)
})

test('behavior: the only vault of a chain is left out too, whether it burns all gas or refuses', async () => {
  for (const bytecode of [BURNER, REFUSER] as const) {
    await clientOf(999).setCode({ address: gold.vault, bytecode })
    expect(await vaultsOf(reader().holdings(999))).toEqual([])
  }
})

test('error: a chain that stands still, and one without a node', async () => {
  const addressBook = structuredClone(started.world.addressBook)
  for (const chain of addressBook.chains) chain.maxHeadAgeSeconds = 1
  await clientOf(999).mine({ blocks: 1 })
  await sleep(2_500)
  const stale = reader({ addressBook })
  await expect(stale.holdings(999)).rejects.toMatchObject({ reason: 'RPC_UNAVAILABLE' })
  await expect(stale.states(999)).rejects.toMatchObject({ reason: 'RPC_UNAVAILABLE' })
  const gone = reader({ rpcUrls: { 999: 'http://127.0.0.1:1' } })
  await expect(gone.holdings(999)).rejects.toMatchObject({ reason: 'RPC_UNAVAILABLE' })
})
