import { type Address, getAddress, type Hex, maxUint256, parseUnits, zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { depositorAbi } from '../../abis/depositor.ts'
import { DEVNET_ACTORS, DEVNET_REFUSED_USER, DEVNET_USERS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { VAULT_CHAINS, vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { selectorOf } from '../../devnet/vaults/roles.ts'
import { NO_ATTESTATION } from '../../domain/earn/attestDeposit.ts'
import { type DepositCall, prepareDeposit } from '../../domain/earn/prepareDeposit.ts'
import {
  asOwner,
  callAs,
  type EarnClient,
  type ErrorBody,
  earnClient,
  earnRevertOf,
  expectRefusal,
  type PreparedBody,
  type Refusal,
} from '../support/earn.ts'
import { type EarnWorld, startEarnWorld } from '../support/earnWorld.ts'

/**
 * All that a deposit can be refused for, beside what the API answers to the same wish, and what the
 * contracts say when it is sent all the same.
 */

const USER = DEVNET_USERS[0] ?? DEVNET_REFUSED_USER
const { tokens } = DEPLOYMENT
const dollar = vaultDeployment('Harbor Dollar', 1).current
const REGISTRY = VAULT_CHAINS.find(({ chainId }) => chainId === 1)?.registry ?? zeroAddress
const prime = vaultDeployment('Harbor Prime', 1)
const cap = 5_000_000n * 10n ** 18n

type Case = Refusal & {
  name: string
  vault?: string
  chainId?: number
  /** What the chain is made to be before. */
  prepare?: (client: EarnClient) => Promise<unknown>
  user?: typeof USER
  parameters?: Record<string, string>
  /** The same on chain; without it the chain does not enforce it. */
  forced?: Partial<DepositCall>
  reverts?: unknown[]
}

const CASES: Case[] = [
  {
    name: 'a teller that is paused',
    prepare: (client) => asOwner(client, dollar.teller, ['function pause()']),
    reason: 'VAULT_PAUSED',
    forced: {},
    reverts: ['TellerWithMultiAssetSupport__Paused'],
  },
  {
    name: 'an accountant that is paused',
    prepare: (client) => asOwner(client, dollar.accountant, ['function pause()']),
    reason: 'VAULT_PAUSED',
    forced: {},
    reverts: ['AccountantWithRateProviders__Paused'],
  },
  {
    name: 'a depositor that takes nothing of the public',
    prepare: (client) =>
      asOwner(client, client.deployment.authority, [
        'function setPublicCapability(address, bytes4, bool)',
        ...[dollar.depositor, selectorOf(depositorAbi, 'deposit'), false],
      ]),
    reason: 'VAULT_PAUSED',
    forced: {},
    reverts: ['Error', 'UNAUTHORIZED'],
  },
  {
    name: 'an asset that the teller takes no more',
    prepare: (client) =>
      asOwner(client, dollar.teller, ['function removeDepositAsset(address)', tokens.USDC]),
    reason: 'ASSET_NOT_DEPOSITABLE',
    metadata: { asset: tokens.USDC },
    fields: ['depositAsset'],
    forced: {},
    reverts: ['TellerWithMultiAssetSupport__AssetNotSupported'],
  },
  {
    name: 'an asset that the vault does not know',
    parameters: { depositAsset: tokens.USDS },
    reason: 'ASSET_NOT_DEPOSITABLE',
    metadata: { asset: tokens.USDS },
    fields: ['depositAsset'],
    forced: { asset: tokens.USDS },
    reverts: ['TellerWithMultiAssetSupport__AssetNotSupported'],
  },
  {
    name: 'a deployment that is deprecated',
    ...{ vault: 'Harbor Sunset', chainId: 11_155_111 },
    parameters: { depositAsset: tokens.USDG },
    reason: 'VAULT_DEPRECATED',
    metadata: { chainId: '11155111', vault: expect.stringMatching(/^0x/) },
    fields: ['vaultAddress'],
  },
  {
    name: 'nothing',
    parameters: { depositAmount: '0' },
    reason: 'INVALID_FIELD',
    fields: ['depositAmount'],
    forced: { amount: 0n },
    reverts: ['FeesExceedOrEqualAmount'],
  },
  {
    name: 'shares for nobody',
    parameters: { to: zeroAddress },
    reason: 'INVALID_FIELD',
    fields: ['to'],
  },
  {
    name: 'no more than its fee',
    vault: 'Harbor Prime',
    parameters: { depositAmount: '500251' },
    reason: 'DEPOSIT_TOO_SMALL',
    metadata: { fee: '500251' },
    fields: ['depositAmount'],
    prepare: (client) => openToAll(client, 'USDC'),
    forced: { amount: 500_251n },
    reverts: ['FeesExceedOrEqualAmount'],
  },
  {
    name: 'more than the cap leaves',
    vault: 'Harbor Prime',
    prepare: (client) => openToAll(client, 'USDS'),
    parameters: { depositAsset: tokens.USDS, depositAmount: String(6_000_000n * 10n ** 18n) },
    reason: 'SUPPLY_CAP_EXCEEDED',
    metadata: { remainingInBase: String(cap), supplyCapInBase: String(cap) },
    fields: ['depositAmount'],
  },
  {
    name: 'shares to an account that the vault has frozen',
    vault: 'Harbor Prime',
    prepare: async (client) => {
      await openToAll(client, 'USDC')
      await asOwner(client, prime.hook ?? zeroAddress, [
        'function setFrozen(address, bool)',
        DEVNET_REFUSED_USER.address,
        true,
      ])
    },
    parameters: { to: DEVNET_REFUSED_USER.address },
    reason: 'ACCOUNT_FROZEN',
    metadata: { account: DEVNET_REFUSED_USER.address },
    fields: ['to'],
    forced: { to: DEVNET_REFUSED_USER.address },
    reverts: ['Error', 'TRANSFER_FAILED'],
  },
  {
    name: 'an account that may not deposit',
    vault: 'Harbor Prime',
    user: DEVNET_REFUSED_USER,
    reason: 'ATTESTATION_REFUSED',
    metadata: { account: DEVNET_REFUSED_USER.address, receiver: DEVNET_REFUSED_USER.address },
    fields: ['userAddress'],
    forced: {},
    reverts: ['Error', expect.stringMatching(/^Predicate\.validateAttestation:/)],
  },
  {
    name: 'shares to an account that may not have them',
    vault: 'Harbor Prime',
    parameters: { to: DEVNET_REFUSED_USER.address },
    reason: 'ATTESTATION_REFUSED',
    metadata: { account: USER.address, receiver: DEVNET_REFUSED_USER.address },
    fields: ['userAddress', 'to'],
  },
  {
    name: 'more than any token has',
    vault: 'Harbor Prime',
    parameters: { depositAmount: String(2n ** 128n) },
    reason: 'INVALID_FIELD',
    fields: ['depositAmount'],
  },
  {
    name: 'a sender whom the issuer of the asset has blocked',
    prepare: (client) =>
      callAs(client, DEVNET_ACTORS.deployer, {
        address: tokens.USDC,
        call: ['function blacklist(address)', USER.address],
      }),
    reason: 'ACCOUNT_FROZEN',
    metadata: { account: USER.address },
    fields: ['userAddress'],
    forced: {},
    reverts: ['Error', 'TRANSFER_FROM_FAILED'],
  },
  {
    name: 'a depositor that the vault has frozen',
    vault: 'Harbor Prime',
    prepare: async (client) => {
      await openToAll(client, 'USDC')
      await asOwner(client, prime.hook ?? zeroAddress, [
        ...(['function setFrozen(address, bool)', prime.current.depositor, true] as const),
      ])
    },
    reason: 'VAULT_PAUSED',
    forced: {},
    reverts: ['Error', 'TRANSFER_FAILED'],
  },
  {
    name: 'a registry that says no without a word',
    vault: 'Harbor Prime',
    // Returns 32 bytes of nothing.
    prepare: (client) => client.client.setCode({ address: REGISTRY, bytecode: '0x60206000f3' }),
    reason: 'ATTESTATION_UNAVAILABLE',
    forced: {},
    reverts: ['UnauthorizedTransaction'],
  },
  {
    name: 'an attestation that the registry does not take',
    vault: 'Harbor Prime',
    prepare: (client) =>
      asOwner(client, REGISTRY, [
        'function deregisterAttester(address)',
        DEVNET_ACTORS.attester.address,
      ]),
    reason: 'ATTESTATION_UNAVAILABLE',
    forced: {},
    reverts: ['Error', expect.stringMatching(/^Predicate\.validateAttestation:/)],
  },
  {
    name: 'a vault that nobody has',
    parameters: { vaultAddress: tokens.USDC },
    reason: 'VAULT_NOT_FOUND',
  },
  {
    name: 'a vault of another chain',
    chainId: 11_155_111,
    vault: 'Harbor Prime',
    parameters: { chainId: '2201' },
    reason: 'VAULT_NOT_FOUND',
  },
]

let earn: EarnWorld
let snapshots: { client: EarnClient; id: Hex }[] = []
beforeAll(async () => {
  earn = await startEarnWorld([1, 11_155_111])
  for (const name of ['Harbor Dollar', 'Harbor Prime'])
    for (const token of [tokens.USDC, tokens.USDS, tokens.USDG]) {
      const client = vault(name)
      const { depositor } = client.deployment.current
      for (const user of [USER, DEVNET_REFUSED_USER])
        await client.approve(user, token, [depositor, maxUint256])
    }
})
afterAll(() => earn?.stop())
beforeEach(async () => {
  const clients = [vault('Harbor Dollar'), vault('Harbor Prime', 11_155_111)]
  snapshots = await Promise.all(
    clients.map(async (client) => ({ client, id: await client.client.snapshot() })),
  )
})
afterEach(async () => {
  for (const { client, id } of snapshots) await client.client.revert({ id })
})

describe('what a depositor would refuse', () => {
  test.each(CASES)('error: $name', async ({ prepare, forced, reverts, ...wish }) => {
    const client = vault(wish.vault ?? 'Harbor Dollar', wish.chainId)
    await prepare?.(client)
    await expectRefused(client, wish)
    if (!forced) return
    const call = prepareDeposit({
      ...{ depositor: client.deployment.current.depositor, asset: tokens.USDC, minimumMint: 0n },
      ...{ amount: 2_000_000_000n, to: USER.address, distributorCode: '0x', permit: null },
      attestation: NO_ATTESTATION,
      ...forced,
    })
    expect(await earnRevertOf(client, wish.user ?? USER, call)).toEqual(reverts)
  })

  test('behavior: exactly what the cap leaves is taken, and not a unit more', async () => {
    const client = vault('Harbor Prime')
    await openToAll(client, 'USDG')
    // An asset without a fee, so that what is deposited is what counts.
    const { depositor } = client.deployment.current
    const left = parseUnits('1234.567891', 6)
    await asOwner(client, depositor, ['function setSupplyCapInBase(uint256)', left * 10n ** 12n])
    const over = { name: '', vault: 'Harbor Prime', reason: 'SUPPLY_CAP_EXCEEDED' } as const
    const parameters = { depositAsset: tokens.USDG, depositAmount: String(left + 1n) }
    await expectRefused(client, {
      ...{ ...over, parameters, fields: ['depositAmount'] },
      metadata: {
        remainingInBase: String(left * 10n ** 12n),
        supplyCapInBase: String(left * 10n ** 12n),
      },
    })
    const forced = prepareDeposit({
      ...{ depositor, asset: tokens.USDG, amount: left + 1n, minimumMint: 0n, to: USER.address },
      ...{ distributorCode: '0x', permit: null, attestation: NO_ATTESTATION },
    })
    expect(await earnRevertOf(client, USER, forced)).toEqual([
      ...['SupplyCapInBaseError', (left + 1n) * 10n ** 12n, left * 10n ** 12n],
    ])
    const { body } = await ask(client, { depositAsset: tokens.USDG, depositAmount: String(left) })
    expect(await earnRevertOf(client, USER, body.transaction)).toBeNull()
  })

  test('behavior: a frozen account may pay for the shares of another', async () => {
    const client = vault('Harbor Prime')
    await openToAll(client, 'USDC')
    const { hook = zeroAddress } = client.deployment
    await asOwner(client, hook, ['function setFrozen(address, bool)', USER.address, true])
    const { body } = await ask(client, { to: DEVNET_REFUSED_USER.address })
    expect(await earnRevertOf(client, USER, body.transaction)).toBeNull()
    await expectRefused(client, {
      ...{ name: '', reason: 'ACCOUNT_FROZEN', fields: ['userAddress'] },
      metadata: { account: USER.address },
    })
  })

  test('behavior: a contract that burns all gas spoils only what asks for it', async () => {
    const burner = vault('Harbor Prime')
    const { depositFeeModule: address = zeroAddress } = prime.current
    await burner.client.setCode({ address, bytecode: '0x5b600056' })
    const good = vault('Harbor Dollar')
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => [ask(burner, {}), ask(good, {})]).flat(),
    )
    expect(answers.map(({ status }) => status)).toEqual(
      Array.from({ length: 10 }, () => [503, 200]).flat(),
    )
  })

  test('error: dust that would mint no share', async () => {
    const client = vault('Harbor Dollar')
    await client.client.increaseTime({ seconds: 10 })
    await callAs(client, DEVNET_ACTORS.rateUpdater, {
      address: dollar.accountant,
      call: ['function updateExchangeRate(uint96)', 1_005_000n],
    })
    await expectRefused(client, {
      ...{ name: '', reason: 'DEPOSIT_TOO_SMALL', parameters: { depositAmount: '1' } },
      ...{ fields: ['depositAmount'], metadata: { fee: '0' } },
    })
  })

  test('error: everything that is wrong is named at once', async () => {
    await expectRefused(vault('Harbor Dollar'), {
      name: '',
      reason: 'INVALID_FIELD',
      parameters: {
        ...{ depositAmount: '-1', userAddress: '0x12', chainId: 'one', to: zeroAddress },
        ...{ permitSignature: '0x1234', responseFormat: 'xml', simulate: 'yes' },
        vaultAddress: miscased(dollarVault()),
      },
      fields: [
        ...['vaultAddress', 'depositAmount', 'userAddress', 'chainId', 'to', 'permitSignature'],
        ...['permitDeadline', 'responseFormat', 'simulate'],
      ],
    })
    await expectRefused(vault('Harbor Dollar'), {
      ...{ name: '', reason: 'INVALID_FIELD', fields: ['permitSignature'] },
      parameters: { permitDeadline: '99' },
    })
  })

  test('error: what only the simulation shows', async () => {
    const client = vault('Harbor Dollar')
    const permit = { permitSignature: `0x${'11'.repeat(64)}1b`, permitDeadline: '99' }
    // Whether an allowance covers it is left to the chain.
    const user = DEVNET_USERS[3]
    expect((await ask(client, permit, user)).status).toBe(200)
    await expectRefused(client, {
      ...{ name: '', reason: 'SIMULATION_FAILED', parameters: { ...permit, simulate: 'true' } },
      ...{
        fields: ['simulate'],
        metadata: { error: 'PermitFailedAndAllowanceTooLow', args: '[]' },
      },
      ...(user ? { user } : {}),
    })
  })

  test('behavior: without the fault it is prepared, and the chain takes it', async () => {
    for (const name of ['Harbor Dollar', 'Harbor Prime']) {
      const client = vault(name)
      const { status, body } = await ask(client, {})
      expect(status).toBe(200)
      expect(await earnRevertOf(client, USER, body.transaction)).toBeNull()
    }
  })
})

function vault(name: string, chainId = 1): EarnClient {
  return earnClient({ world: earn.world, url: earn.api.url }, { name, chainId })
}

function dollarVault(): Address {
  return getAddress(vaultDeployment('Harbor Dollar', 1).vault)
}

/** Mixed case that is no checksum. */
function miscased(address: Address): string {
  return `0x${address
    .slice(2)
    .replace(/[a-fA-F]/g, (letter) =>
      letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
    )}`
}

function ask(client: EarnClient, parameters: Record<string, string>, user = USER) {
  return client.ask<PreparedBody & ErrorBody>('/v2/earn/deposit', {
    ...{ depositAsset: tokens.USDC, depositAmount: '2000000000', userAddress: user.address },
    ...parameters,
  })
}

async function expectRefused(client: EarnClient, { parameters = {}, user, ...refusal }: Case) {
  expectRefusal(await ask(client, parameters, user), refusal)
}

/** Without the attestation, so that a call made by hand can come so far. */
function openToAll(client: EarnClient, token: 'USDC' | 'USDS' | 'USDG') {
  return asOwner(client, client.deployment.current.depositor, [
    ...(['function setKytStatus(address, bool)', tokens[token], false] as const),
  ])
}
