import { type Address, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEVNET_ACTORS, userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { worldClient } from '../../devnet/world.ts'
import { callAs } from '../support/earn.ts'
import { type EarnWorld, startEarnWorld } from '../support/earnWorld.ts'
import { startFreshApi } from '../support/freshApi.ts'
import { getJson } from '../support/getJson.ts'
import { newAddressesFrom } from '../support/newAddressesFrom.ts'
import { quotePath } from '../support/quotes.ts'
import { type ErrorBody, expectRefusal } from '../support/refusal.ts'
import { revertChains } from '../support/revertChains.ts'
import { smartDepositRegistrar } from '../support/smartDepositRegistrar.ts'
import { unusableReceivers } from './receiverCases.ts'

/** The accounts that the service lets nobody send money to, in every place that takes a receiver. */

const { tokens } = DEPLOYMENT
const [USER, OTHER] = [userAt(0).address, userAt(1).address]
const dollar = vaultDeployment('Harbor Dollar', 1).vault
const LOCAL = { from: 1, to: 1, offer: 'USDC', want: 'USDG' } as const
const CROSS = { ...LOCAL, to: 4663 } as const

let earn: EarnWorld
beforeAll(async () => {
  earn = await startEarnWorld([1, 4663])
})
afterAll(() => earn?.stop())

const quote = (parameters: Record<string, string>, ends: typeof LOCAL | typeof CROSS = LOCAL) =>
  quotePath(ends, { userAddress: USER, offerAmount: '2000000000', ...parameters })
const ofVault = (path: string, parameters: Record<string, string>) =>
  `${path}?${new URLSearchParams({
    vaultAddress: dollar,
    chainId: '1',
    userAddress: USER,
    ...parameters,
  })}`
const deposit = (parameters: Record<string, string>) =>
  ofVault('/v2/earn/deposit', {
    depositAsset: tokens.USDC,
    depositAmount: '2000000000',
    ...parameters,
  })
const withdraw = (parameters: Record<string, string>) =>
  ofVault('/v2/earn/withdraw', {
    wantAsset: tokens.USDC,
    shareAmount: '5000000',
    ...parameters,
  })

type Place = [name: string, field: string, path: (account: string) => string, token: Address]

/** On chain 1, each place with the token that its receiver gets. */
const PLACES: Place[] = [
  ['a quote', 'userAddress', (userAddress) => quote({ userAddress }), tokens.USDG],
  [
    "an integrator's fee",
    'integratorFeeReceiver',
    (integratorFeeReceiver) => quote({ integratorFee: '5', integratorFeeReceiver }),
    tokens.USDC,
  ],
  ['a deposit', 'to', (to) => deposit({ to }), dollar],
  ['a withdrawal', 'receiver', (receiver) => withdraw({ receiver }), tokens.USDC],
  ['a refund', 'refundReceiver', (refundReceiver) => withdraw({ refundReceiver }), dollar],
]

async function ask(path: string, at = earn.api.url) {
  const answer = await getJson(`${at}${path}`)
  return { ...answer, body: answer.body as ErrorBody }
}

describe.each(PLACES)('the receiver of %s', (_, field, path, token) => {
  test('error: every contract of the address book, and what no key opens', async () => {
    for (const [what, account] of unusableReceivers(earn.world.addressBook, 1)) {
      const answer = await ask(path(account))
      expect([what, answer.status]).toEqual([what, 400])
      expectRefusal(answer, {
        reason: 'RECEIVER_CANNOT_USE',
        metadata: { account },
        fields: [field],
      })
    }
  })

  test('error: a smart deposit address of another token or chain', async () => {
    const { addressFor } = smartDepositRegistrar(earn)
    const input = { userDestinationAddress: OTHER, vaultAddress: dollar, chainId: 1 }
    const ofToken = (inputToken: Address) => addressFor({ ...input, inputToken })
    for (const inputToken of [tokens.USDC, tokens.USDT]) {
      const account = await ofToken(inputToken)
      const answer = await ask(path(account))
      if (inputToken === token) expect([answer.status, answer.body.error]).toEqual([200, undefined])
      else
        expectRefusal(answer, {
          reason: 'RECEIVER_CANNOT_USE',
          metadata: { account },
          fields: [field],
        })
    }
  })

  test('behavior: with other mistakes, one answer names all', async () => {
    const answer = await ask(`${path(tokens.USDP)}&permitDeadline=5`)
    expectRefusal(answer, { reason: 'INVALID_FIELD', fields: [field, 'permitSignature'] })
  })
})

describe('what is not refused', () => {
  test('behavior: a contract of another chain', async () => {
    expect((await ask(quote({ userAddress: dollar }, CROSS))).status).toBe(200)
    const answer = await ask(quote({ userAddress: dollar }))
    expectRefusal(answer, { reason: 'RECEIVER_CANNOT_USE', fields: ['userAddress'] })
  })

  test('behavior: a smart deposit address of generation A is refused on another chain, even of the same token', async () => {
    const { addressBook } = earn.api.context
    newAddressesFrom(addressBook, 'A')
    const address = await smartDepositRegistrar(earn).addressFor({
      userDestinationAddress: OTHER,
      vaultAddress: dollar,
      inputToken: tokens.USDG,
      chainId: 1,
    })
    newAddressesFrom(addressBook, 'B')
    expect((await ask(quote({ userAddress: address }))).status).toBe(200)
    const answer = await ask(quote({ userAddress: address }, CROSS))
    expectRefusal(answer, { reason: 'RECEIVER_CANNOT_USE', fields: ['userAddress'] })
  })

  test('behavior: a contract that deposits for itself', async () => {
    const parameters = { userAddress: vaultDeployment('Harbor Prime', 1).vault }
    for (const path of [
      deposit(parameters),
      deposit({ ...parameters, to: parameters.userAddress }),
    ])
      expect((await ask(path)).status).toBe(200)
  })

  test('behavior: without a fee its receiver does not matter', async () => {
    const path = quote({ integratorFee: '0', integratorFeeReceiver: zeroAddress })
    expect((await ask(path)).status).toBe(200)
  })
})

describe('a receiver whom the issuer blocks', () => {
  revertChains(() => [1, 4663].map((chainId) => worldClient(earn.world, chainId)))
  const block = (chainId: number, account: Address) =>
    callAs({ client: worldClient(earn.world, chainId) }, DEVNET_ACTORS.deployer, {
      address: tokens.USDC,
      call: ['function blacklist(address)', account],
    })
  const TO_USDC = { from: 4663, to: 1, offer: 'USDG', want: 'USDC' } as const

  test.each([
    [
      'error: on the destination, of the want asset',
      () => quotePath(TO_USDC, { userAddress: OTHER, offerAmount: '2000000000' }),
      'userAddress',
    ],
    [
      "error: on the source, of an integrator's fee",
      () => quote({ integratorFee: '5', integratorFeeReceiver: OTHER }, CROSS),
      'integratorFeeReceiver',
    ],
  ])('%s', async (_, pathOf, field) => {
    const path = pathOf()
    await block(4663, OTHER)
    const before = await startFreshApi({ world: earn.world })
    expect((await ask(path, before.url)).status).toBe(200)
    await block(1, OTHER)
    const api = await startFreshApi({ world: earn.world })
    expectRefusal(await ask(path, api.url), {
      reason: 'ACCOUNT_FROZEN',
      fields: [field],
      metadata: { account: OTHER },
    })
  })

  test('error: of a withdrawal that the queue would refund', async () => {
    await block(1, OTHER)
    expectRefusal(await ask(withdraw({ receiver: OTHER })), {
      reason: 'ACCOUNT_FROZEN',
      fields: ['receiver'],
      metadata: { account: OTHER },
    })
  })
})
