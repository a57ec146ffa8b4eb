import { afterAll, beforeAll, expect, test } from 'vitest'
import { userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { depositInto } from '../../devnet/vaults/depositInto.ts'
import { worldClient } from '../../devnet/world.ts'
import { NO_ATTESTATION } from '../../domain/earn/deposits/attestDeposit.ts'
import { prepareDeposit } from '../../domain/earn/deposits/prepareDeposit.ts'
import type { TestApiOptions } from '../support/api.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { asOwner, earnClient, earnRevertOf, type PreviewedBody } from '../support/earn.ts'
import { type EarnWorld, startEarnWorld } from '../support/earnWorld.ts'
import { startFreshApi } from '../support/freshApi.ts'
import {
  BUILDS,
  BUILDS_OF_B,
  createSimpleFeeModule,
  listAsB,
  placeDepositorB,
} from '../support/generationB.ts'
import { getJson } from '../support/getJson.ts'
import type { HandCall } from '../support/handCall.ts'
import { type ErrorBody, expectRefusal } from '../support/refusal.ts'
import { revertChains } from '../support/revertChains.ts'
import { nodesOf } from '../support/vaultList.ts'
import { openVaultOracle } from '../support/vaultOracle.ts'
import { setRate } from '../support/vaultTokens.ts'
import { withoutAge } from '../support/withoutAge.ts'

/** Supply caps over HTTP; expectations are computed by hand. */

const { USDC, USDG } = DEPLOYMENT.tokens
const ETHER = 10n ** 18n
const CHAINS = [1, 999, 11_155_111]
const prime = vaultDeployment('Harbor Prime', 1)
const sepoliaPrime = vaultDeployment('Harbor Prime', 11_155_111)
const dollar = vaultDeployment('Harbor Dollar', 1)
const classic = vaultDeployment('Harbor Classic', 1)
const ether = vaultDeployment('Harbor Ether', 1)
const gold = vaultDeployment('Harbor Gold', 999)
const sunset = vaultDeployment('Harbor Sunset', 11_155_111)

/** The age of a row that was read now. */
const FRESH = { stale: false, asOf: expect.any(String) }

type Row = {
  vaultAddress: string
  chainId: number
  totalSupplyInBase: string
  supplyCap: string | null
  percentageFilled: string | null
}
type Body = { supplyCaps: Row[]; nextPageToken: string | null }

let earn: EarnWorld
beforeAll(async () => {
  earn = await startEarnWorld(CHAINS)
})
afterAll(() => earn?.stop())
revertChains(() => CHAINS.map(clientOf))

const clientOf = (chainId: number) => worldClient(earn.world, chainId)
const user = userAt(0)

/** An API without cached reads. */
async function startApi(options: TestApiOptions = {}): Promise<string> {
  return (await startFreshApi({ world: earn.world, ...options })).url
}

async function list(url: string, parameters: Record<string, string> = {}) {
  const query = new URLSearchParams(parameters)
  const answer = await getJson<Body & ErrorBody>(`${url}/v2/earn/supplyCaps?${query}`)
  expect(undescribed(answer.url, answer.status, answer.body)).toEqual([])
  return answer
}

async function depositInDollars(deployment: typeof prime, units: bigint) {
  await depositInto(earn.world, { user, deployment, asset: USDG, amount: units })
}

async function readPrime() {
  const { body } = await list(await startApi(), { filter: `vaultAddress=${prime.vault}` })
  const [row] = body.supplyCaps
  return [row?.totalSupplyInBase, row?.supplyCap, row?.percentageFilled]
}

const setCap = (cap: bigint) =>
  asOwner({ client: clientOf(1) }, prime.current.depositor, [
    ...(['function setSupplyCapInBase(uint256)', cap] as const),
  ])

test('default: every vault that takes deposits, by chain and address, capped or not', async () => {
  // Pegged and without a fee: one share per unit.
  await depositInDollars(prime, 1_234_500_000n)
  await depositInDollars(dollar, 1_234_567n)
  await setRate(clientOf(1), dollar, 1_005_001n)
  const { status, headers, body } = await list(await startApi())
  expect(status).toBe(200)
  expect(headers.get('cache-control')).toBe('private, max-age=10')
  expect(headers.get('x-degraded-chains')).toBeNull()
  const none = { supplyCap: null, percentageFilled: null }
  const rowOf = (
    { vault, chainId }: typeof prime,
    row: Pick<Row, 'totalSupplyInBase' | 'supplyCap' | 'percentageFilled'>,
  ) => ({ vaultAddress: vault, chainId, ...row, ...FRESH })
  const byAddress = (a: Row, b: Row) =>
    a.vaultAddress.toLowerCase() < b.vaultAddress.toLowerCase() ? -1 : 1
  expect(body).toEqual({
    supplyCaps: [
      ...[
        // Shares from before the upgrade.
        rowOf(ether, { totalSupplyInBase: '8.000000000000000000', ...none }),
        // Vaults of generation A have no caps.
        rowOf(classic, { totalSupplyInBase: '0.000000', ...none }),
        // 1.234567 × 1.005001 = 1.240741070…
        rowOf(dollar, { totalSupplyInBase: '1.240741', ...none }),
        // 0.02469 percent.
        rowOf(prime, {
          totalSupplyInBase: '1234.500000000000000000',
          supplyCap: '5000000.000000000000000000',
          percentageFilled: '0.0247',
        }),
      ].toSorted(byAddress),
      rowOf(gold, { totalSupplyInBase: '0.000000000000000000', ...none }),
      // Sunset is not listed: it takes no deposits any more.
      rowOf(sepoliaPrime, {
        totalSupplyInBase: '0.000000000000000000',
        supplyCap: '5000000.000000000000000000',
        percentageFilled: '0.0000',
      }),
    ],
    nextPageToken: null,
  })
})

test('behavior: filled to the last unit, beyond it, and a cap of nothing', async () => {
  await depositInDollars(prime, 1_000_000_000n)
  await setRate(clientOf(1), prime, (ETHER * 1_005n) / 1_000n)
  const held = '1005.000000000000000000'
  await setCap(1_005n * ETHER)
  expect(await readPrime()).toEqual([held, held, '100.0000'])
  // A rising rate raises the supply above the cap.
  await setCap(1_000n * ETHER)
  expect(await readPrime()).toEqual([held, '1000.000000000000000000', '100.5000'])
  await setCap(3_015n * ETHER)
  expect(await readPrime()).toEqual([held, '3015.000000000000000000', '33.3333'])
  await setCap(0n)
  expect(await readPrime()).toEqual([held, '0.000000000000000000', '100.0000'])
})

/** The call by which a build's owner sets its cap, and the error with which the build refuses more. */
const OF_BUILD = {
  DepositorBInShares: ['function updateSupplyCap(uint256)', 'SupplyCapError'],
  DepositorBInValue: ['function updateSupplyCap(uint256)', 'SupplyCapError'],
  DepositorBHybrid: ['function updateSupplyCapInBase(uint256)', 'SupplyCapInBaseError'],
} as const

test.each(BUILDS)(
  'behavior: a depositor of generation B caps what its build caps: %s',
  async (build) => {
    await depositInDollars(prime, 1_000_000_000n)
    await setRate(clientOf(1), prime, (ETHER * 1_005n) / 1_000n)
    const { depositor } = prime.current
    const [set, error] = OF_BUILD[build]
    await placeDepositorB(clientOf(1), prime, build)
    const feeModule = await createSimpleFeeModule(clientOf(1), 100n)
    for (const call of [
      ['function setFeeModule(address)', feeModule],
      ['function setKytStatus(address, bool)', USDG, false],
      // For 2,010 base in value, with 1,000 shares of 1.005 there.
      [set, BUILDS_OF_B[build] === 'shares' ? 2_000n * ETHER : 2_010n * ETHER],
    ] satisfies HandCall[])
      await asOwner({ client: clientOf(1) }, depositor, call)

    const addressBook = structuredClone(earn.world.addressBook)
    listAsB(addressBook, { name: 'Harbor Prime', chainId: 1, build })
    const url = await startApi({ addressBook })
    const { body } = await list(url, { filter: `vaultAddress=${prime.vault}` })
    expect(body.supplyCaps).toEqual([
      {
        vaultAddress: prime.vault,
        chainId: 1,
        totalSupplyInBase: '1005.000000000000000000',
        supplyCap: '2010.000000000000000000',
        percentageFilled: '50.0000',
        ...FRESH,
      },
    ])
    const { supplyCaps } = await openVaultOracle(addressBook, earn.world.rpcUrls)
    expect((await list(url)).body.supplyCaps.map(withoutAge)).toEqual(await supplyCaps())

    // The fee is taken after the mint, so the whole deposit counts: 1,000 shares are left, for 1,005 USDG. One unit
    // of the base more mints no further share.
    const client = earnClient({ url, world: earn.world }, { name: 'Harbor Prime', chainId: 1 })
    const ask = (amount: bigint) =>
      client.ask<PreviewedBody & ErrorBody>('/v2/earn/deposit', {
        depositAsset: USDG,
        depositAmount: String(amount),
        userAddress: user.address,
      })
    await client.approve(user, USDG, [depositor, 2n ** 255n])
    const fits = await ask(1_005_000_000n)
    expect(fits.status).toBe(200)
    // 1,000 shares are minted, and 1 % of them is the fee.
    expect(fits.body.preview).toMatchObject({
      expectedShares: String(990n * ETHER),
      fee: { amount: String(10n * ETHER), asset: prime.vault },
      exchangeRateToBase: '1.005000000000000000',
    })
    expect(await earnRevertOf(client, user, fits.body.transaction)).toBeNull()
    expectRefusal(await ask(1_005_000_002n), {
      reason: 'SUPPLY_CAP_EXCEEDED',
      fields: ['depositAmount'],
      metadata: {
        remainingInBase: String(1_005n * ETHER + 1n),
        supplyCapInBase: String(2_010n * ETHER),
      },
    })
    const forced = prepareDeposit({
      depositor,
      asset: USDG,
      amount: 1_005_000_002n,
      minimumMint: 0n,
      to: user.address,
      distributorCode: '0x',
      permit: null,
      attestation: NO_ATTESTATION,
    })
    expect((await earnRevertOf(client, user, forced))?.[0]).toBe(error)
  },
)

test.each(BUILDS)(
  'behavior: what a cap leaves is taken to the unit, and not a unit more: %s',
  async (build) => {
    await depositInDollars(dollar, 1_000_003n)
    await setRate(clientOf(1), dollar, 1_005_001n)
    const { depositor } = dollar.current
    await placeDepositorB(clientOf(1), dollar, build)
    const addressBook = structuredClone(earn.world.addressBook)
    listAsB(addressBook, { name: 'Harbor Dollar', chainId: 1, build })
    const client = earnClient(
      { url: await startApi({ addressBook }), world: earn.world },
      { name: 'Harbor Dollar', chainId: 1 },
    )
    await client.approve(user, USDC, [depositor, 2n ** 255n])
    const ask = (amount: bigint) =>
      client.ask<PreviewedBody & ErrorBody>('/v2/earn/deposit', {
        depositAsset: USDC,
        depositAmount: String(amount),
        userAddress: user.address,
      })
    for (const cap of [1_100_000n, 1_100_001n, 1_234_567n, 1_999_999n]) {
      await asOwner({ client: clientOf(1) }, depositor, [OF_BUILD[build][0], cap])
      const { body } = await ask(10n ** 9n)
      const left = BigInt(body.error.details.at(-1)?.metadata?.remainingInBase ?? 0)
      expect(left).toBeGreaterThan(90_000n)
      const fits = await ask(left)
      expect(fits.status).toBe(200)
      expect(await earnRevertOf(client, user, fits.body.transaction)).toBeNull()
      expectRefusal(await ask(left + 1n), { reason: 'SUPPLY_CAP_EXCEEDED' })
    }
  },
)

test('behavior: a pause changes nothing of it', async () => {
  await depositInDollars(prime, 2_500_000_000n)
  for (const contract of [prime.current.teller, prime.current.accountant])
    await asOwner({ client: clientOf(1) }, contract, ['function pause()'])
  expect(await readPrime()).toEqual([
    '2500.000000000000000000',
    '5000000.000000000000000000',
    '0.0500',
  ])
})

test('behavior: by vault and chain; a vault that is deprecated or none has no row', async () => {
  const url = await startApi()
  const places = async (filter: string) => {
    const { body } = await list(url, { filter })
    return body.supplyCaps.map(({ vaultAddress, chainId }) => `${chainId} ${vaultAddress}`)
  }
  expect(await places(`vaultAddress=${dollar.vault.toLowerCase()}`)).toEqual([`1 ${dollar.vault}`])
  expect(await places('chainId=999 OR chainId=11155111')).toEqual([
    `999 ${gold.vault}`,
    `11155111 ${sepoliaPrime.vault}`,
  ])
  // Two vaults with the same address on two chains.
  expect(sepoliaPrime.vault).toBe(gold.vault)
  expect(await places(`vaultAddress = ${gold.vault} AND chainId != 999`)).toEqual([
    `11155111 ${gold.vault}`,
  ])
  expect(await places(`vaultAddress=${sunset.vault}`)).toEqual([])
  expect(await places(`vaultAddress=${USDC}`)).toEqual([])
})

test('error: a chain that never answered is an error, unless the filter excludes it', async () => {
  const rpcUrls = { ...nodesOf(earn.world), 999: ['http://127.0.0.1:1'] }
  const url = await startApi({ rpcUrls })
  const metadata = { chainId: '999' }
  expectRefusal(await list(url), { reason: 'RPC_UNAVAILABLE', metadata })
  const { status, headers, body } = await list(url, { filter: 'chainId != 999' })
  expect([status, headers.get('x-degraded-chains')]).toEqual([200, null])
  expect(new Set(body.supplyCaps.map(({ chainId }) => chainId))).toEqual(new Set([1, 11_155_111]))
})

test('behavior: an accountant without a rate hides no other vault', async () => {
  const address = prime.current.accountant
  for (const bytecode of ['0x5b600056', '0x60006000fd'] as const) {
    await clientOf(1).setCode({ address, bytecode })
    const { status, headers, body } = await list(await startApi(), { filter: 'chainId=1' })
    expect([status, headers.get('x-degraded-chains')]).toEqual([200, '1'])
    expect(body.supplyCaps.map(({ vaultAddress }) => vaultAddress).toSorted()).toEqual(
      [classic, dollar, ether].map(({ vault }) => vault).toSorted(),
    )
  }
})
