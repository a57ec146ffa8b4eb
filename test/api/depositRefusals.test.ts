import {
  type Address,
  getAddress,
  type LocalAccount,
  maxUint256,
  parseUnits,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEVNET_ACTORS, DEVNET_REFUSED_USER, userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { worldClient } from '../../devnet/world.ts'
import { NO_ATTESTATION } from '../../domain/earn/deposits/attestDeposit.ts'
import { prepareDeposit } from '../../domain/earn/deposits/prepareDeposit.ts'
import {
  asOwner,
  callAs,
  type EarnClient,
  earnClient,
  earnRevertOf,
  freeze,
  type PreparedBody,
} from '../support/earn.ts'
import { type EarnWorld, startEarnWorld } from '../support/earnWorld.ts'
import { type ErrorBody, expectRefusal, type Refusal } from '../support/refusal.ts'
import { revertChains } from '../support/revertChains.ts'
import { DEPOSIT_CASES, type DepositCase, openToAll } from './depositCases.ts'

/**
 * Every reason to refuse a deposit: the API's answer, and the revert of the contracts when the same
 * deposit is sent without the API's check.
 */

const USER = userAt(0)
const { tokens } = DEPLOYMENT
const dollar = vaultDeployment('Harbor Dollar', 1).current
const prime = vaultDeployment('Harbor Prime', 1)

let earn: EarnWorld
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
revertChains(() => [1, 11_155_111].map((chainId) => worldClient(earn.world, chainId)))

describe('deposits that a depositor would refuse', () => {
  test.each(DEPOSIT_CASES)('error: $name', async ({ prepare, forced, reverts, ...request }) => {
    const client = vault(request.vault ?? 'Harbor Dollar', request.chainId)
    await prepare?.(client)
    await expectRefused(client, request)
    if (!forced) return
    const call = prepareDeposit({
      depositor: client.deployment.current.depositor,
      asset: tokens.USDC,
      minimumMint: 0n,
      amount: 2_000_000_000n,
      to: USER.address,
      distributorCode: '0x',
      permit: null,
      attestation: NO_ATTESTATION,
      ...forced,
    })
    expect(await earnRevertOf(client, request.user ?? USER, call)).toEqual(reverts)
  })

  test('behavior: exactly what the cap leaves is taken, and not a unit more', async () => {
    const client = vault('Harbor Prime')
    await openToAll(client, 'USDG')
    // An asset without a fee, so that the whole deposit counts.
    const { depositor } = client.deployment.current
    const left = parseUnits('1234.567891', 6)
    await asOwner(client, depositor, ['function setSupplyCapInBase(uint256)', left * 10n ** 12n])
    const over = { reason: 'SUPPLY_CAP_EXCEEDED' } as const
    const parameters = { depositAsset: tokens.USDG, depositAmount: String(left + 1n) }
    await expectRefused(client, {
      ...over,
      parameters,
      fields: ['depositAmount'],
      metadata: {
        remainingInBase: String(left * 10n ** 12n),
        supplyCapInBase: String(left * 10n ** 12n),
      },
    })
    const forced = prepareDeposit({
      depositor,
      asset: tokens.USDG,
      amount: left + 1n,
      minimumMint: 0n,
      to: USER.address,
      distributorCode: '0x',
      permit: null,
      attestation: NO_ATTESTATION,
    })
    expect(await earnRevertOf(client, USER, forced)).toEqual([
      'SupplyCapInBaseError',
      (left + 1n) * 10n ** 12n,
      left * 10n ** 12n,
    ])
    const { body } = await ask(client, { depositAsset: tokens.USDG, depositAmount: String(left) })
    expect(await earnRevertOf(client, USER, body.transaction)).toBeNull()
  })

  test('behavior: a frozen account may pay for the shares of another', async () => {
    const client = vault('Harbor Prime')
    await openToAll(client, 'USDC')
    await freeze(client, USER.address)
    const { body } = await ask(client, { to: DEVNET_REFUSED_USER.address })
    expect(await earnRevertOf(client, USER, body.transaction)).toBeNull()
    await expectRefused(client, {
      reason: 'ACCOUNT_FROZEN',
      fields: ['userAddress'],
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
      reason: 'DEPOSIT_TOO_SMALL',
      parameters: { depositAmount: '1' },
      fields: ['depositAmount'],
      metadata: { fee: '0' },
    })
  })

  test('error: everything that is wrong is named at once', async () => {
    await expectRefused(vault('Harbor Dollar'), {
      reason: 'INVALID_FIELD',
      parameters: {
        depositAmount: '-1',
        userAddress: '0x12',
        chainId: 'one',
        to: zeroAddress,
        permitSignature: '0x1234',
        responseFormat: 'xml',
        simulate: 'yes',
        vaultAddress: miscased(dollarVault()),
      },
      fields: [
        'vaultAddress',
        'depositAmount',
        'userAddress',
        'chainId',
        'to',
        'permitSignature',
        'permitDeadline',
        'responseFormat',
        'simulate',
      ],
    })
    await expectRefused(vault('Harbor Dollar'), {
      reason: 'INVALID_FIELD',
      fields: ['permitSignature'],
      parameters: { permitDeadline: '99' },
    })
  })

  test('error: a failure that only the simulation finds', async () => {
    const client = vault('Harbor Dollar')
    const permit = { permitSignature: `0x${'11'.repeat(64)}1b`, permitDeadline: '99' }
    // Only the chain decides whether an allowance covers it.
    const user = userAt(3)
    expect((await ask(client, permit, user)).status).toBe(200)
    await expectRefused(client, {
      reason: 'SIMULATION_FAILED',
      parameters: { ...permit, simulate: 'true' },
      fields: ['simulate'],
      metadata: { error: 'PermitFailedAndAllowanceTooLow', args: '[]' },
      user,
    })
  })

  test('behavior: a token whose balances cannot be assumed is a warning, and no refusal', async () => {
    const client = vault('Harbor Dollar')
    // Answers 0 to every question, wherever a balance is assumed.
    await client.client.setCode({ address: tokens.USDC, bytecode: '0x60206000f3' })
    const { status, body } = await ask(client, { simulate: 'true' }, userAt(3))
    expect([status, body.error]).toEqual([200, undefined])
    expect(body).toMatchObject({ warnings: [{ reason: 'SIMULATION_UNAVAILABLE' }] })
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

/** An address in mixed case with a wrong checksum. */
function miscased(address: Address): string {
  return `0x${address
    .slice(2)
    .replace(/[a-fA-F]/g, (letter) =>
      letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
    )}`
}

function ask(client: EarnClient, parameters: Record<string, string>, user: LocalAccount = USER) {
  return client.ask<PreparedBody & ErrorBody>('/v2/earn/deposit', {
    depositAsset: tokens.USDC,
    depositAmount: '2000000000',
    userAddress: user.address,
    ...parameters,
  })
}

type Wish = Refusal & Pick<DepositCase, 'parameters' | 'user'>

async function expectRefused(client: EarnClient, { parameters = {}, user, ...refusal }: Wish) {
  expectRefusal(await ask(client, parameters, user), refusal)
}
