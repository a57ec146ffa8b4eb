import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEVNET_ACTORS, DEVNET_SOLVER, userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { VAULT_ROLES } from '../../devnet/vaults/roles.ts'
import { worldClient } from '../../devnet/world.ts'
import {
  asOwner,
  callAs,
  type EarnClient,
  earnRevertOf,
  freeze,
  type PreparedBody,
} from '../support/earn.ts'
import type { EarnWorld } from '../support/earnWorld.ts'
import { type ErrorBody, expectRefusal } from '../support/refusal.ts'
import { revertChains } from '../support/revertChains.ts'
import { askToWithdraw, startWithdrawWorld, vaultOf } from './withdrawCases.ts'

/** The mode of a withdrawal (of three) for each state of the chain. */

const [USER, OTHER] = [userAt(0), userAt(1)]
const { tokens } = DEPLOYMENT
const dollar = vaultDeployment('Harbor Dollar', 1).current

let earn: EarnWorld
const vault = (name: string) => vaultOf(earn, name)
beforeAll(async () => {
  earn = await startWithdrawWorld()
})
afterAll(() => earn?.stop())
revertChains(() => [worldClient(earn.world, 1)])

describe('what a withdrawal leaves', () => {
  const withdraw = async (client: EarnClient, left: bigint, parameters = {}) => {
    const held = await client.balance(client.deployment.vault, USER.address)
    return askToWithdraw(client, { shareAmount: String(held - left), ...parameters })
  }

  test.each([
    ['nothing', 0n, false],
    ['one unit less than the minimum', 4_999_999n, false],
    ['the minimum', 5_000_000n, true],
  ])('default: %s', async (_, left, isWithdrawable) => {
    const { body } = await withdraw(vault('Harbor Dollar'), left)
    expect(body.remainder).toEqual({ shares: String(left), isWithdrawable })
  })

  test('default: more than the minimum, of which the fee takes all', async () => {
    const client = vault('Harbor Prime')
    const { body } = await withdraw(client, 5n * 10n ** 16n)
    expect(body.remainder).toEqual({ shares: String(5n * 10n ** 16n), isWithdrawable: false })
    // This asset has no flat fee.
    const free = await withdraw(client, 5n * 10n ** 16n, { wantAsset: tokens.USDG })
    expect(free.body.remainder).toMatchObject({ isWithdrawable: true })
  })

  test('behavior: 0 for shares that the sender does not have', async () => {
    const { body } = await askToWithdraw(vault('Harbor Dollar'), { shareAmount: '900000000000' })
    expect(body.remainder).toEqual({ shares: '0', isWithdrawable: false })
  })

  test('error: too little, if that is to be refused; nothing is not too little', async () => {
    const client = vault('Harbor Dollar')
    const isRefused = { refuseSmallRemainder: 'true' }
    expectRefusal(await withdraw(client, 4_999_999n, isRefused), {
      reason: 'REMAINDER_TOO_SMALL',
      fields: ['shareAmount'],
      metadata: {
        remainder: '4999999',
        minOrderSize: '5000000',
        asset: client.deployment.vault,
      },
    })
    for (const left of [0n, 5_000_000n])
      expect((await withdraw(client, left, isRefused)).status).toBe(200)
  })
})

describe('the mode of a withdrawal', () => {
  const atOnce = () =>
    vault('Harbor Dollar').ask<PreparedBody>('/v2/earn/withdraw', {
      wantAsset: tokens.USDC,
      shareAmount: '9000000',
      userAddress: DEVNET_SOLVER.address,
      responseFormat: 'full',
    })

  test('default: at once, for an account that may', async () => {
    expect((await atOnce()).body.transaction.functionName).toBe('bulkWithdraw')
  })

  test.each(['teller', 'accountant'] as const)(
    'behavior: while the %s is paused it is an order, which the queue takes',
    async (contract) => {
      const client = vault('Harbor Dollar')
      await asOwner(client, dollar[contract], ['function pause()'])
      const { status, body } = await atOnce()
      expect([status, body.transaction.functionName]).toEqual([200, 'submitOrder'])
      const { vault: share } = client.deployment
      await client.approve(DEVNET_SOLVER, share, [dollar.queue, 9_000_000n])
      expect(await earnRevertOf(client, DEVNET_SOLVER, body.transaction)).toBeNull()
    },
  )

  test('behavior: while the vault lacks the asset it is an order', async () => {
    const client = vault('Harbor Dollar')
    const { vault: share } = client.deployment
    const held = await client.balance(tokens.USDC, share)
    await callAs(client, DEVNET_ACTORS.executor, {
      address: share,
      call: [
        'function manage(address[], bytes[], uint256[])',
        [tokens.USDC],
        [transferData(OTHER.address, held - 8_999_999n)],
        [0n],
      ],
    })
    expect((await atOnce()).body.transaction.functionName).toBe('submitOrder')
  })

  test('behavior: orders go by the teller that the queue asks, what is paid at once by its own', async () => {
    const client = vault('Harbor Dollar')
    const { authority, current } = vaultDeployment('Harbor Prime', 1)
    const other = current.teller
    await asOwner(client, dollar.queue, ['function setTeller(address)', other])
    const grant = 'function setUserRole(address, uint8, bool)'
    await asOwner(client, authority, [grant, dollar.queue, VAULT_ROLES.solver, true])
    await asOwner(client, client.deployment.authority, [grant, other, VAULT_ROLES.teller, true])
    const usdt = { wantAsset: tokens.USDT, shareAmount: '9000000' }
    // The other teller takes USDC and not USDT.
    expectRefusal(await askToWithdraw(client, usdt), { reason: 'ASSET_NOT_WITHDRAWABLE' })
    expect((await askToWithdraw(client, {})).status).toBe(200)
    expectRefusal(
      await client.ask('/v2/earn/calculateWithdrawalFee', { ...usdt, offerAmount: '9' }),
      {
        reason: 'ASSET_NOT_WITHDRAWABLE',
      },
    )
    expect((await atOnce()).body.transaction.functionName).toBe('bulkWithdraw')
    await asOwner(client, dollar.teller, ['function removeWithdrawAsset(address)', tokens.USDC])
    expect((await atOnce()).body.transaction.functionName).toBe('submitOrder')
  })

  test('error: the teller may not burn shares at the vault any more', async () => {
    const client = vault('Harbor Dollar')
    const grant = 'function setUserRole(address, uint8, bool)'
    const { authority } = client.deployment
    await asOwner(client, authority, [grant, dollar.teller, VAULT_ROLES.teller, false])
    expect(await atOnce()).toMatchObject({ status: 503, reason: 'VAULT_NOT_CONNECTED' })
  })

  test('error: at once, shares that are worth less than one unit of the asset', async () => {
    const client = vault('Harbor Prime')
    await asOwner(client, client.deployment.authority, [
      ...(['function setUserRole(address, uint8, bool)', USER.address, 5, true] as const),
    ])
    await asOwner(client, client.deployment.current.queue, [
      ...(['function setMinimumOrderSize(uint256)', 1n] as const),
    ])
    const ask = (shares: bigint) =>
      askToWithdraw(client, { wantAsset: tokens.USDG, shareAmount: String(shares) })
    expectRefusal(await ask(10n ** 12n - 1n), {
      reason: 'WITHDRAWAL_TOO_SMALL',
      fields: ['shareAmount'],
      metadata: { fee: '0', minOrderSize: String(10n ** 12n), asset: client.deployment.vault },
    })
    const { body } = await ask(10n ** 12n)
    expect(await earnRevertOf(client, USER, body.transaction)).toBeNull()
  })

  test('error: at once, to a receiver whom the issuer has blocked', async () => {
    const client = vault('Harbor Dollar')
    await callAs(client, DEVNET_ACTORS.deployer, {
      address: tokens.USDC,
      call: ['function blacklist(address)', OTHER.address],
    })
    const answer = await client.ask<ErrorBody & PreparedBody>('/v2/earn/withdraw', {
      wantAsset: tokens.USDC,
      shareAmount: '9000000',
      userAddress: DEVNET_SOLVER.address,
      receiver: OTHER.address,
    })
    expectRefusal(answer, {
      reason: 'ACCOUNT_FROZEN',
      fields: ['receiver'],
      metadata: { account: OTHER.address },
    })
  })

  test('error: at once, a frozen receiver', async () => {
    const client = vault('Harbor Prime')
    await asOwner(client, client.deployment.authority, [
      ...(['function setUserRole(address, uint8, bool)', USER.address, 5, true] as const),
    ])
    await freeze(client, OTHER.address)
    const parameters = { wantAsset: tokens.USDG, shareAmount: String(10n ** 18n) }
    expectRefusal(await askToWithdraw(client, { ...parameters, receiver: OTHER.address }), {
      reason: 'ACCOUNT_FROZEN',
      fields: ['receiver'],
      metadata: { account: OTHER.address },
    })
  })
})

function transferData(to: Address, amount: bigint): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
}
