import { join } from 'node:path'
import { type Address, type Hex, toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compileContracts } from '../../contracts/compileContracts.ts'
import { DEVNET_ACTORS, userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { depositInto } from '../../devnet/vaults/depositInto.ts'
import { worldClient } from '../../devnet/world.ts'
import { type AddressBookFile, parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { apyByDecimals } from '../support/apyByDecimals.ts'
import { asOwner, earnClient, type PreviewedBody } from '../support/earn.ts'
import { type EarnWorld, startEarnWorld } from '../support/earnWorld.ts'
import { getJson } from '../support/getJson.ts'
import { insertFacts } from '../support/testIndex.ts'
import { insertLife } from '../support/vaultLives.ts'

/** A vault with shares of 18 decimals that counts in a base of 6: its accountant is real, and of the local contracts. */

const { USDC, USDG } = DEPLOYMENT.tokens
const prime = vaultDeployment('Harbor Prime', 1)
const { vault } = prime
const user = userAt(0)
const DAY = 86_400
const DAY_BEGINS = 19_600 * DAY

let earn: EarnWorld
let api: TestApi
beforeAll(async () => {
  earn = await startEarnWorld([1, 4663])
  // 1,000 shares, while a share is worth 1.
  await depositInto(earn.world, { user, deployment: prime, asset: USDG, amount: 1_000_000_000n })
  await countInDollars(1_500_000n)
  const file: AddressBookFile = JSON.parse(JSON.stringify(earn.world.addressBook))
  for (const { deployments } of file.vaults ?? [])
    for (const entry of deployments)
      if (entry.chainId === 1 && entry.vault.address === vault.toLowerCase())
        Object.assign(entry, {
          baseToken: USDC.toLowerCase(),
          vault: { ...entry.vault, decimals: 18 },
        })
  const addressBook = parseAddressBook(file, 'a base of other decimals than the shares')
  api = await startTestApi({ world: earn.world, addressBook })
  const place = { chain_id: 1, vault: vault.toLowerCase(), account: user.address.toLowerCase() }
  await insertFacts(api.context.sql, 'share_balance', [
    {
      ...place,
      balance: String(10n ** 21n),
      cost: '0',
      realised: '0',
      is_priced: true,
      has_transferred_shares: false,
    },
  ])
  const state = { supply: 10n ** 21n, holders: 1, supplyBlock: 1 }
  await insertLife(api.context.sql, {
    chainId: 1,
    vault: vault.toLowerCase() as Address,
    openingRate: 1_200_000n,
    states: [
      { ...state, time: DAY_BEGINS - 7_200, block: 1, rate: null, rateBlock: null },
      { ...state, time: DAY_BEGINS + 7_200, block: 9, rate: 1_500_000n, rateBlock: 9 },
    ],
  })
})
afterAll(async () => {
  await api?.stop()
  await earn?.stop()
})

async function read<Row>(path: string, key: string): Promise<Row | undefined> {
  const filter = `filter=chainId=1 AND vaultAddress=${vault}`
  const { body } = await getJson<Record<string, Row[]>>(`${api.url}/v2/earn/${path}${filter}`)
  return body[key]?.[0]
}

test('default: caps, rate, value and holdings are in the base, with its decimals', async () => {
  await asOwner({ client: worldClient(earn.world, 1) }, prime.current.depositor, [
    ...(['function setSupplyCapInBase(uint256)', 3_000_000_000n] as const),
  ])
  expect(await read('supplyCaps?', 'supplyCaps')).toMatchObject({
    totalSupplyInBase: '1500.000000',
    supplyCap: '3000.000000',
    percentageFilled: '50.0000',
  })
  const listed = await getJson<{ vaults: { deployments: object[] }[] }>(
    `${api.url}/v2/earn/vaults?filter=chainId=1 AND name="Harbor Prime"`,
  )
  expect(listed.body.vaults[0]?.deployments[0]).toMatchObject({
    depositSupplyCap: { raw: '3000000000', formatted: '3000', decimals: 6 },
    minimumWithdrawalOrderSize: { decimals: 18 },
  })
  expect(await read(`userPositions?userAddress=${user.address}&`, 'userPositions')).toMatchObject({
    shareBalance: String(10n ** 21n),
    positionValueInBase: '1500.000000',
    exchangeRateToBase: '1.500000',
  })
  expect(await read('vaultCompositions?', 'vaultCompositions')).toMatchObject({
    components: [{ assetAddress: USDG, amount: '1000.000000', value: '1000.000000' }],
  })
})

test('default: deposits and withdrawals name the rate in the base', async () => {
  const client = earnClient(
    { url: api.url, world: earn.world },
    { name: 'Harbor Prime', chainId: 1 },
  )
  const preview = { exchangeRateToBase: '1.500000' }
  const deposit = await client.ask<PreviewedBody>('/v2/earn/deposit', {
    depositAsset: USDG,
    depositAmount: '3000000',
    userAddress: user.address,
  })
  expect(deposit.body.preview).toMatchObject({
    ...preview,
    expectedShares: String(2n * 10n ** 18n),
  })
  const withdrawal = await client.ask<PreviewedBody>('/v2/earn/withdraw', {
    wantAsset: USDG,
    shareAmount: String(10n ** 18n),
    userAddress: user.address,
  })
  expect(withdrawal.body.preview).toMatchObject(preview)
})

test('default: the series count in the base', async () => {
  const times = `startTime=${DAY_BEGINS - 1}&endTime=${DAY_BEGINS + DAY}`
  const filter = `filter=chainId=1 AND vaultAddress=${vault}`
  const series = async (path: string) =>
    (await getJson<Record<string, object[]>>(`${api.url}/v2/earn/${path}&${times}&${filter}`)).body
  expect((await series('vaultTvls?interval=86400')).vaultTvls).toMatchObject([
    { tvl: '1200.000000' },
    { tvl: '1500.000000' },
  ])
  const { vaultApys } = await series(`vaultApys?interval=86400&apyWindow=${DAY}`)
  expect(vaultApys?.at(-1)).toMatchObject({ apy: apyByDecimals(1_200_000n, 1_500_000n, DAY) })
})

test('default: activity and the cost of a position count in the base', async () => {
  const { sql } = api.context
  const paid = 10n ** 21n * 1_200_000n
  await sql`update facts.share_balance set cost = ${String(paid)}`
  await insertFacts(sql, 'vault_activity', [
    {
      chain_id: 1,
      vault: vault.toLowerCase(),
      user_address: user.address.toLowerCase(),
      type: 'DEPOSIT',
      asset: USDG.toLowerCase(),
      asset_amount: 3_000_000,
      shares: String(25n * 10n ** 17n),
      rate: 1_200_000,
    },
  ])
  expect(await read('activity?', 'activity')).toMatchObject({
    exchangeRateToBase: '1.200000',
    shareAmount: String(25n * 10n ** 17n),
    assetAmount: '3000000',
    valueInBase: '3.000000',
  })
  expect(await read(`userPositions?userAddress=${user.address}&`, 'userPositions')).toMatchObject({
    positionValueInBase: '1500.000000',
    costBasis: '1200.000000',
    unrealisedEarnings: '300.000000',
  })
})

/** Gives the accountant in use the code and the state of one that counts in USDC. */
async function countInDollars(startingExchangeRate: bigint) {
  const client = worldClient(earn.world, 1)
  const root = join(import.meta.dirname, '../..')
  const artifacts = await compileContracts(join(root, 'devnet/contracts'))
  const { abi = [], bytecode = '0x' } = artifacts.AccountantWithRateProviders ?? {}
  const account = DEVNET_ACTORS.vaultDeployer
  const terms = {
    payoutAddress: account.address,
    startingExchangeRate,
    allowedExchangeRateChangeUpper: 11_000,
    allowedExchangeRateChangeLower: 9_000,
    minimumUpdateDelayInSeconds: 0,
    managementFee: 0,
    performanceFee: 0,
  }
  const args = [account.address, prime.authority, vault, USDC, terms]
  const hash = await client.deployContract({ account, abi, bytecode, args })
  const { contractAddress } = await client.waitForTransactionReceipt({ hash })
  if (!contractAddress) throw new Error('no accountant was created')
  await copyContract(contractAddress, prime.current.accountant)
}

async function copyContract(from: Address, to: Address) {
  const client = worldClient(earn.world, 1)
  await client.setCode({ address: to, bytecode: (await client.getCode({ address: from })) ?? '0x' })
  for (let slot = 0; slot < 16; slot++) {
    const index: Hex = toHex(slot, { size: 32 })
    const value = await client.getStorageAt({ address: from, slot: index })
    await client.setStorageAt({ address: to, index, value: value ?? toHex(0, { size: 32 }) })
  }
}
