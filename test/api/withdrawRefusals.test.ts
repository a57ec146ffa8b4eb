import { join } from 'node:path'
import {
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withdrawQueueAbi } from '../../abis/withdrawQueue.ts'
import { type Artifacts, compileContracts } from '../../contracts/compileContracts.ts'
import { DEVNET_ACTORS, userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { selectorOf } from '../../devnet/vaults/roles.ts'
import { worldClient } from '../../devnet/world.ts'
import { prepareRequest } from '../../domain/earn/withdrawals/prepareWithdrawal.ts'
import { startTestApi } from '../support/api.ts'
import {
  asOwner,
  callAs,
  type DepositAuthorizationBody,
  earnClient,
  earnRevertOf,
  type PreparedBody,
} from '../support/earn.ts'
import type { EarnWorld } from '../support/earnWorld.ts'
import { type ErrorBody, expectRefusal, type Refusal } from '../support/refusal.ts'
import { revertChains } from '../support/revertChains.ts'
import {
  askToWithdraw,
  LEAST_PRIME_SHARES,
  RECEIVERS,
  startWithdrawWorld,
  vaultOf,
  WITHDRAW_CASES,
  type WithdrawCase,
} from './withdrawCases.ts'

/**
 * Every reason to refuse a withdrawal, its cancellation and its fee: the API's answer, and the revert of
 * the contracts when the same call is sent without the API's check.
 */

const [USER, OTHER] = [userAt(0), userAt(1)]
const { tokens } = DEPLOYMENT
const dollar = vaultDeployment('Harbor Dollar', 1).current

let earn: EarnWorld
const vault = (name: string) => vaultOf(earn, name)
beforeAll(async () => {
  earn = await startWithdrawWorld()
  const root = join(import.meta.dirname, '../..')
  const artifacts: Artifacts = await compileContracts(join(root, 'test/contracts'))
  const client = vault('Harbor Dollar')
  for (const [name, contract] of [
    ['taking', 'TakingReceiver'],
    ['refusing', 'RefusingReceiver'],
    ['burning', 'BurningReceiver'],
    ['checking', 'CheckingReceiver'],
    ['wrong', 'WrongReceiver'],
  ] as const)
    await client.client.setCode({
      address: RECEIVERS[name],
      bytecode: artifacts[contract]?.deployedBytecode ?? '0x',
    })
  const prime = vault('Harbor Prime')
  await prime.approve(USER, prime.deployment.vault, [
    ...([prime.deployment.current.queue, maxUint256] as const),
  ])
})
afterAll(() => earn?.stop())
revertChains(() => [worldClient(earn.world, 1)])

describe('withdrawals that a queue would refuse', () => {
  test.each(WITHDRAW_CASES)('error: $name', async ({ prepare, forced, reverts, ...wish }) => {
    const client = vault(wish.vault ?? 'Harbor Dollar')
    await prepare?.(client)
    expectRefusal(await askToWithdraw(client, wish.parameters ?? {}), wish)
    if (!forced) return
    const order = {
      amountOffer: 5_000_000n,
      wantAsset: tokens.USDC,
      intendedDepositor: USER.address,
      receiver: USER.address,
      refundReceiver: USER.address,
      ...forced,
    }
    const call = prepareRequest(client.deployment.current.queue, order, 'submitOrder')
    expect(await earnRevertOf(client, USER, call)).toEqual(reverts)
  })

  test('error: everything that is wrong is named at once', async () => {
    expectRefusal(
      await askToWithdraw(vault('Harbor Dollar'), {
        shareAmount: '1.5',
        userAddress: 'me',
        receiver: zeroAddress,
        intendedDepositor: '0x1',
        refundReceiver: zeroAddress,
        responseFormat: 'no',
      }),
      {
        reason: 'INVALID_FIELD',
        fields: [
          'shareAmount',
          'userAddress',
          'receiver',
          'intendedDepositor',
          'refundReceiver',
          'responseFormat',
        ],
      },
    )
  })

  test('behavior: the least shares are paid, and one less would hold up the queue', async () => {
    const client = vault('Harbor Prime')
    const { queue } = client.deployment.current
    const inVault = [client.deployment.vault, 1n] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: inVault })
    await client.send(USER, { to: tokens.USDC, data })
    const process = encodeProcess(1n)
    const least = { shareAmount: String(LEAST_PRIME_SHARES) }
    const { body } = await askToWithdraw(client, least)
    await client.send(USER, body.transaction)
    const before = await client.balance(tokens.USDC, USER.address)
    await client.send(DEVNET_ACTORS.queueProcessor, { to: queue, data: process })
    expect(await client.balance(tokens.USDC, USER.address)).toBe(before + 1n)
    const order = {
      amountOffer: LEAST_PRIME_SHARES - 1n,
      wantAsset: tokens.USDC,
      intendedDepositor: USER.address,
      receiver: USER.address,
      refundReceiver: USER.address,
    }
    const { to, data: request } = prepareRequest(queue, order, 'submitOrder')
    await client.send(USER, { to, data: request })
    expect(
      await earnRevertOf(client, DEVNET_ACTORS.queueProcessor, { to: queue, data: process }),
    ).toEqual(['InvalidAssetsOut'])
  })

  test('behavior: without the fault it is prepared, and the chain takes it', async () => {
    const client = vault('Harbor Dollar')
    for (const receiver of [USER.address, OTHER.address, RECEIVERS.taking, RECEIVERS.checking]) {
      const { status, body } = await askToWithdraw(client, { receiver })
      expect(status).toBe(200)
      expect(await earnRevertOf(client, USER, body.transaction)).toBeNull()
    }
  })
})

describe('cancelling', () => {
  const cancel = (orderIndex: string, parameters: Record<string, string> = {}) =>
    vault('Harbor Dollar').ask<PreparedBody & ErrorBody>('/v2/earn/withdraw/cancel', {
      orderIndex,
      ...parameters,
    })

  test.each(['0', '1', String(2n ** 256n - 1n)])('error: no order %s', async (orderIndex) => {
    expectRefusal(await cancel(orderIndex), { reason: 'WITHDRAWAL_REQUEST_NOT_FOUND' })
    const call = { to: dollar.queue, data: cancelData(orderIndex) }
    expect(await earnRevertOf(vault('Harbor Dollar'), USER, call)).toEqual([
      'ERC721NonexistentToken',
      BigInt(orderIndex),
    ])
  })

  test('error: one that was paid, and one that is marked', async () => {
    const client = vault('Harbor Dollar')
    for (const _ of [1, 2])
      await client.send(USER, (await askToWithdraw(client, {})).body.transaction)
    await callAs(client, DEVNET_ACTORS.queueProcessor, {
      address: dollar.queue,
      call: ['function processOrders(uint256)', 1n],
    })
    expectRefusal(await cancel('1'), {
      reason: 'WITHDRAWAL_NOT_PENDING',
      fields: ['orderIndex'],
      metadata: { status: 'COMPLETE' },
    })
    const { body } = await cancel('2')
    await client.send(USER, body.transaction)
    expectRefusal(await cancel('2'), {
      reason: 'WITHDRAWAL_NOT_PENDING',
      fields: ['orderIndex'],
      metadata: { status: 'PENDING_REFUND', cancellableBy: USER.address },
    })
    expect(await earnRevertOf(client, USER, body.transaction)).toEqual(['InvalidOrderType', 2n, 2])
  })

  test('error: a queue that lets the holder not cancel', async () => {
    const client = vault('Harbor Dollar')
    await client.send(USER, (await askToWithdraw(client, {})).body.transaction)
    const { body } = await cancel('1')
    await asOwner(client, client.deployment.authority, [
      'function setPublicCapability(address, bytes4, bool)',
      dollar.queue,
      selectorOf(withdrawQueueAbi, 'cancelOrder'),
      false,
    ])
    expectRefusal(await cancel('1'), { reason: 'VAULT_PAUSED' })
    expect(await earnRevertOf(client, USER, body.transaction)).toEqual(['Error', 'UNAUTHORIZED'])
  })

  test('error: an invalid index, and an unknown vault', async () => {
    for (const orderIndex of ['one', '-1', '1.0', ''])
      expectRefusal(await cancel(orderIndex), { reason: 'INVALID_FIELD', fields: ['orderIndex'] })
    expectRefusal(await cancel('1', { vaultAddress: tokens.USDC }), { reason: 'VAULT_NOT_FOUND' })
  })
})

describe('the fee of a withdrawal', () => {
  const fee = (name: string, parameters: Record<string, string> = {}) =>
    vault(name).ask<ErrorBody>('/v2/earn/calculateWithdrawalFee', {
      wantAsset: tokens.USDC,
      offerAmount: '100000000',
      ...parameters,
    })

  test.each<Wish>([
    { name: 'nothing', parameters: { offerAmount: '0' }, reason: 'INVALID_FIELD' },
    {
      name: 'an asset it does not know',
      parameters: { wantAsset: tokens.USDS },
      reason: 'ASSET_NOT_WITHDRAWABLE',
      metadata: { asset: tokens.USDS },
    },
    {
      name: 'a vault that nobody has',
      parameters: { vaultAddress: tokens.USDC },
      reason: 'VAULT_NOT_FOUND',
    },
  ])('error: $name', async ({ parameters, ...wish }) => {
    expectRefusal(await fee('Harbor Dollar', parameters), wish)
  })

  test('error: a module that asks a paused accountant, while another does not', async () => {
    const prime = vault('Harbor Prime')
    await asOwner(prime, prime.deployment.current.accountant, ['function pause()'])
    await asOwner(prime, dollar.accountant, ['function pause()'])
    expectRefusal(await fee('Harbor Prime'), { reason: 'VAULT_PAUSED' })
    expect((await fee('Harbor Dollar')).body).toEqual({
      feeAmount: '0.1',
      offerFeePercentage: { bps: 10, percentage: '0.1000' },
      flatFee: '0',
    })
  })
})

describe('the authorization of a deposit', () => {
  const authorize = <Body = ErrorBody>(parameters: Record<string, string>) =>
    vault('Harbor Dollar').ask<Body>('/v2/core/authorization', {
      tokenAddress: tokens.USDC,
      amount: '5',
      userAddress: USER.address,
      ...parameters,
    })

  test.each<Wish>([
    {
      name: 'nothing',
      parameters: { amount: '0', userAddress: zeroAddress },
      reason: 'INVALID_FIELD',
      fields: ['amount', 'userAddress'],
    },
    {
      name: 'a token of nobody',
      parameters: { tokenAddress: RECEIVERS.burning },
      reason: 'ASSET_NOT_DEPOSITABLE',
      fields: ['tokenAddress'],
    },
    {
      name: 'a vault that nobody has',
      parameters: { vaultAddress: tokens.USDC },
      reason: 'VAULT_NOT_FOUND',
    },
    {
      name: 'a preference for what there is not',
      parameters: { prefer: 'signature' },
      reason: 'INVALID_FIELD',
      fields: ['prefer'],
    },
  ])('error: $name', async ({ parameters = {}, ...wish }) => {
    expectRefusal(await authorize(parameters), wish)
  })

  test.each<[string, Record<string, string>]>([
    ['an asset', {}],
    ['shares', { tokenAddress: vaultDeployment('Harbor Dollar', 1).vault }],
  ])('behavior: of %s is the approval for a wallet that prefers it', async (_, token) => {
    const methodOf = async (preference: Record<string, string>) => {
      const { body } = await authorize<DepositAuthorizationBody>({
        userAddress: `0x${'77'.repeat(20)}`,
        ...token,
        ...preference,
      })
      const { method, permitData, approvalTransaction } = body
      return [method, permitData !== undefined, approvalTransaction?.encoded.slice(0, 10)]
    }
    const approve = toFunctionSelector('approve(address,uint256)')
    expect(await methodOf({ prefer: 'approval' })).toEqual(['approval', false, approve])
    const usual = await methodOf({})
    expect(await methodOf({ prefer: 'permit' })).toEqual(usual)
    expect(usual[0]).toBe('permit')
  })
})

test('error: a chain without a node: every preparation is 503', async () => {
  const dead = await startOverDeadNode()
  try {
    const there = earnClient(
      { world: earn.world, url: dead.url },
      { name: 'Harbor Dollar', chainId: 1 },
    )
    const user = { userAddress: USER.address }
    for (const [path, parameters] of [
      ['/v2/earn/deposit', { depositAsset: tokens.USDC, depositAmount: '5', ...user }],
      ['/v2/earn/withdraw', { wantAsset: tokens.USDC, shareAmount: '5', ...user }],
      ['/v2/earn/withdraw/cancel', { orderIndex: '1' }],
      ['/v2/earn/calculateWithdrawalFee', { wantAsset: tokens.USDC, offerAmount: '5' }],
      ['/v2/core/authorization', { tokenAddress: tokens.USDC, amount: '5', ...user }],
    ] as const)
      expectRefusal(await there.ask<ErrorBody>(path, parameters), {
        reason: 'RPC_UNAVAILABLE',
        metadata: { chainId: '1' },
      })
  } finally {
    await dead.stop()
  }
})

/** Next to the function of the same name. */
type Wish = Refusal & Pick<WithdrawCase, 'name' | 'parameters'>

function startOverDeadNode() {
  return startTestApi({ world: earn.world, rpcUrls: { 1: ['http://127.0.0.1:1'] } })
}

function encodeProcess(count: bigint): Hex {
  const args = [count] as const
  return encodeFunctionData({ abi: withdrawQueueAbi, functionName: 'processOrders', args })
}

function cancelData(orderIndex: string): Hex {
  const args = [BigInt(orderIndex)] as const
  return encodeFunctionData({ abi: withdrawQueueAbi, functionName: 'cancelOrder', args })
}
