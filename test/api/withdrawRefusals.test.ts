import { join } from 'node:path'
import {
  type Address,
  encodeFunctionData,
  getAddress,
  type Hex,
  maxUint256,
  zeroAddress,
} from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { withdrawQueueAbi } from '../../abis/withdrawQueue.ts'
import { type Artifacts, compileContracts } from '../../contracts/compileContracts.ts'
import { DEVNET_ACTORS, DEVNET_SOLVER, DEVNET_USERS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { selectorOf } from '../../devnet/vaults/roles.ts'
import { prepareOrder, type WithdrawalOrder } from '../../domain/earn/prepareWithdrawal.ts'
import { startTestApi } from '../support/api.ts'
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
 * All that a withdrawal, its cancellation and its fee can be refused for, beside what the API answers to
 * the same wish, and what the contracts say when it is sent all the same.
 */

const [USER = DEVNET_SOLVER, OTHER = DEVNET_SOLVER] = DEVNET_USERS
const { tokens } = DEPLOYMENT
const dollar = vaultDeployment('Harbor Dollar', 1).current
const SHARES = 100_000_000n
/** Where contracts are put that receive, or are to. */
const RECEIVERS = {
  taking: `0x${'71'.repeat(20)}`,
  refusing: `0x${'72'.repeat(20)}`,
  burning: `0x${'73'.repeat(20)}`,
  checking: `0x${'74'.repeat(20)}`,
  wrong: `0x${'75'.repeat(20)}`,
} as const

type Case = Refusal & {
  name: string
  vault?: string
  /** What the chain is made to be before. */
  prepare?: (client: EarnClient) => Promise<unknown>
  parameters?: Record<string, string>
  /** The same order on chain; without it the chain does not enforce it. */
  forced?: Partial<WithdrawalOrder>
  reverts?: unknown[]
}

const CASES: Case[] = [
  {
    name: 'fewer shares than the queue takes, by one unit',
    parameters: { shareAmount: '4999999' },
    reason: 'BELOW_MIN_ORDER_SIZE',
    metadata: { minOrderSize: '5000000', asset: vaultDeployment('Harbor Dollar', 1).vault },
    fields: ['shareAmount'],
    forced: { amountOffer: 4_999_999n },
    reverts: ['AmountBelowMinimum', 4_999_999n, 5_000_000n],
  },
  {
    name: 'no shares',
    parameters: { shareAmount: '0' },
    reason: 'INVALID_FIELD',
    fields: ['shareAmount'],
    forced: { amountOffer: 0n },
    reverts: ['AmountBelowMinimum', 0n, 5_000_000n],
  },
  {
    name: 'an asset that the teller gives no more',
    prepare: (client) =>
      asOwner(client, dollar.teller, ['function removeWithdrawAsset(address)', tokens.USDC]),
    reason: 'ASSET_NOT_WITHDRAWABLE',
    metadata: { asset: tokens.USDC },
    fields: ['wantAsset'],
    forced: {},
    reverts: ['AssetNotSupported', tokens.USDC],
  },
  {
    name: 'an asset that the vault does not know',
    parameters: { wantAsset: tokens.USDS },
    reason: 'ASSET_NOT_WITHDRAWABLE',
    metadata: { asset: tokens.USDS },
    fields: ['wantAsset'],
    forced: { wantAsset: tokens.USDS },
    reverts: ['AssetNotSupported', tokens.USDS],
  },
  {
    name: 'an intended depositor who does not send it',
    parameters: { intendedDepositor: OTHER.address },
    reason: 'INTENDED_DEPOSITOR_NOT_SENDER',
    fields: ['intendedDepositor'],
    forced: { intendedDepositor: OTHER.address },
    reverts: ['InvalidDepositor', OTHER.address, USER.address],
  },
  {
    name: 'nobody to be paid',
    parameters: { receiver: zeroAddress },
    reason: 'INVALID_FIELD',
    fields: ['receiver'],
    forced: { receiver: zeroAddress },
    reverts: ['ZeroAddress'],
  },
  {
    name: 'nobody for a refund',
    parameters: { refundReceiver: zeroAddress },
    reason: 'INVALID_FIELD',
    fields: ['refundReceiver'],
    forced: { refundReceiver: zeroAddress },
    reverts: ['ZeroAddress'],
  },
  {
    name: 'a contract that does not take the receipt',
    parameters: { receiver: RECEIVERS.refusing },
    reason: 'RECEIVER_REFUSES_RECEIPT',
    metadata: { receiver: getAddress(RECEIVERS.refusing) },
    fields: ['receiver'],
    forced: { receiver: RECEIVERS.refusing },
    reverts: ['ERC721InvalidReceiver', getAddress(RECEIVERS.refusing)],
  },
  {
    name: 'a contract that answers the receipt with something else',
    parameters: { receiver: RECEIVERS.wrong },
    reason: 'RECEIVER_REFUSES_RECEIPT',
    fields: ['receiver'],
    forced: { receiver: RECEIVERS.wrong },
    reverts: ['ERC721InvalidReceiver', getAddress(RECEIVERS.wrong)],
  },
  {
    name: 'a contract that burns its gas at the receipt',
    parameters: { receiver: RECEIVERS.burning },
    reason: 'RECEIVER_REFUSES_RECEIPT',
    fields: ['receiver'],
  },
  {
    name: 'a queue that takes nothing of the public',
    prepare: (client) =>
      asOwner(client, client.deployment.authority, [
        'function setPublicCapability(address, bytes4, bool)',
        ...[dollar.queue, selectorOf(withdrawQueueAbi, 'submitOrder'), false],
      ]),
    reason: 'VAULT_PAUSED',
    forced: {},
    reverts: ['Error', 'UNAUTHORIZED'],
  },
  {
    name: 'shares of an account that the vault has frozen',
    vault: 'Harbor Prime',
    prepare: (client) => freeze(client, USER.address),
    parameters: { wantAsset: tokens.USDG, shareAmount: String(10n ** 18n) },
    reason: 'ACCOUNT_FROZEN',
    metadata: { account: USER.address },
    fields: ['userAddress'],
    forced: { wantAsset: tokens.USDG, amountOffer: 10n ** 18n },
    reverts: ['Error', 'TRANSFER_FROM_FAILED'],
  },
  {
    name: 'no more shares than the fee',
    vault: 'Harbor Prime',
    // A tenth of a percent, and 0.05 of a dollar, which is 0.05 of a share.
    parameters: { shareAmount: String(5n * 10n ** 16n) },
    reason: 'WITHDRAWAL_TOO_SMALL',
    metadata: { fee: String(5n * 10n ** 13n + 5n * 10n ** 16n) },
    fields: ['shareAmount'],
  },
  {
    name: 'a vault that nobody has',
    parameters: { vaultAddress: tokens.USDC },
    reason: 'VAULT_NOT_FOUND',
  },
]

let earn: EarnWorld
let snapshot: Hex
beforeAll(async () => {
  earn = await startEarnWorld([1, 4663])
  const root = join(import.meta.dirname, '../..')
  const artifacts: Artifacts = await compileContracts(
    join(root, 'test/contracts'),
    join(root, '.causeway/artifacts'),
  )
  const client = vault('Harbor Dollar')
  for (const [name, contract] of [
    ['taking', 'TakingReceiver'],
    ['refusing', 'RefusingReceiver'],
    ['burning', 'BurningReceiver'],
    ['checking', 'CheckingReceiver'],
    ['wrong', 'WrongReceiver'],
  ] as const)
    await client.client.setCode({
      ...{ address: RECEIVERS[name], bytecode: artifacts[contract]?.deployedBytecode ?? '0x' },
    })
  for (const user of [USER, DEVNET_SOLVER]) await client.giveShares(user, 'USDC', SHARES)
  await client.approve(USER, client.deployment.vault, [dollar.queue, maxUint256])
  const prime = vault('Harbor Prime')
  await prime.giveShares(USER, 'USDG', 5_000_000n)
  await prime.approve(USER, prime.deployment.vault, [
    ...([prime.deployment.current.queue, maxUint256] as const),
  ])
})
afterAll(() => earn?.stop())
beforeEach(async () => {
  snapshot = await vault('Harbor Dollar').client.snapshot()
})
afterEach(() => vault('Harbor Dollar').client.revert({ id: snapshot }))

describe('what a queue would refuse', () => {
  test.each(CASES)('error: $name', async ({ prepare, forced, reverts, ...wish }) => {
    const client = vault(wish.vault ?? 'Harbor Dollar')
    await prepare?.(client)
    expectRefusal(await ask(client, wish.parameters ?? {}), wish)
    if (!forced) return
    const order = {
      ...{ amountOffer: 5_000_000n, wantAsset: tokens.USDC, intendedDepositor: USER.address },
      ...{ receiver: USER.address, refundReceiver: USER.address, ...forced },
    }
    const call = prepareOrder(client.deployment.current.queue, order, 'submitOrder')
    expect(await earnRevertOf(client, USER, call)).toEqual(reverts)
  })

  test('error: everything that is wrong is named at once', async () => {
    expectRefusal(
      await ask(vault('Harbor Dollar'), {
        ...{ shareAmount: '1.5', userAddress: 'me', receiver: zeroAddress },
        ...{ intendedDepositor: '0x1', refundReceiver: zeroAddress, responseFormat: 'no' },
      }),
      {
        ...{ reason: 'INVALID_FIELD' },
        fields: [
          ...['shareAmount', 'userAddress', 'receiver', 'intendedDepositor', 'refundReceiver'],
          'responseFormat',
        ],
      },
    )
  })

  test('behavior: without the fault it is prepared, and the chain takes it', async () => {
    const client = vault('Harbor Dollar')
    for (const receiver of [USER.address, OTHER.address, RECEIVERS.taking, RECEIVERS.checking]) {
      const { status, body } = await ask(client, { receiver })
      expect(status).toBe(200)
      expect(await earnRevertOf(client, USER, body.transaction)).toBeNull()
    }
  })
})

describe('cancelling', () => {
  const cancel = (orderIndex: string, parameters: Record<string, string> = {}) =>
    vault('Harbor Dollar').ask<PreparedBody & ErrorBody>('/v2/earn/withdraw/cancel', {
      ...{ orderIndex, ...parameters },
    })

  test.each(['0', '1', String(2n ** 256n - 1n)])('error: no order %s', async (orderIndex) => {
    expectRefusal(await cancel(orderIndex), {
      ...{ reason: 'WITHDRAWAL_REQUEST_NOT_FOUND' },
    })
    const call = { to: dollar.queue, data: cancelData(orderIndex) }
    expect(await earnRevertOf(vault('Harbor Dollar'), USER, call)).toEqual([
      ...['ERC721NonexistentToken', BigInt(orderIndex)],
    ])
  })

  test('error: one that was paid, and one that is marked', async () => {
    const client = vault('Harbor Dollar')
    for (const _ of [1, 2]) await client.send(USER, (await ask(client, {})).body.transaction)
    await callAs(client, DEVNET_ACTORS.queueProcessor, {
      ...{ address: dollar.queue, call: ['function processOrders(uint256)', 1n] },
    })
    expectRefusal(await cancel('1'), {
      ...{ reason: 'WITHDRAWAL_NOT_PENDING', fields: ['orderIndex'] },
      metadata: { status: 'COMPLETE' },
    })
    const { body } = await cancel('2')
    await client.send(USER, body.transaction)
    expectRefusal(await cancel('2'), {
      ...{ reason: 'WITHDRAWAL_NOT_PENDING', fields: ['orderIndex'] },
      metadata: { status: 'PENDING_REFUND', cancellableBy: USER.address },
    })
    expect(await earnRevertOf(client, USER, body.transaction)).toEqual(['InvalidOrderType', 2n, 2])
  })

  test('error: a queue that lets the holder not cancel', async () => {
    const client = vault('Harbor Dollar')
    await client.send(USER, (await ask(client, {})).body.transaction)
    const { body } = await cancel('1')
    await asOwner(client, client.deployment.authority, [
      'function setPublicCapability(address, bytes4, bool)',
      ...[dollar.queue, selectorOf(withdrawQueueAbi, 'cancelOrder'), false],
    ])
    expectRefusal(await cancel('1'), { reason: 'VAULT_PAUSED' })
    expect(await earnRevertOf(client, USER, body.transaction)).toEqual(['Error', 'UNAUTHORIZED'])
  })

  test('error: an index that is none, and a vault that nobody has', async () => {
    for (const orderIndex of ['one', '-1', '1.0', ''])
      expectRefusal(await cancel(orderIndex), {
        ...{ reason: 'INVALID_FIELD', fields: ['orderIndex'] },
      })
    expectRefusal(await cancel('1', { vaultAddress: tokens.USDC }), {
      ...{ reason: 'VAULT_NOT_FOUND' },
    })
  })
})

describe('the fee of a withdrawal', () => {
  const fee = (name: string, parameters: Record<string, string> = {}) =>
    vault(name).ask<ErrorBody>('/v2/earn/calculateWithdrawalFee', {
      ...{ wantAsset: tokens.USDC, offerAmount: '100000000', ...parameters },
    })

  test.each<Omit<Case, 'prepare'>>([
    { name: 'nothing', parameters: { offerAmount: '0' }, reason: 'INVALID_FIELD' },
    {
      ...{ name: 'an asset it does not know', parameters: { wantAsset: tokens.USDS } },
      ...{ reason: 'ASSET_NOT_WITHDRAWABLE', metadata: { asset: tokens.USDS } },
    },
    {
      ...{ name: 'a vault that nobody has', parameters: { vaultAddress: tokens.USDC } },
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
      ...{ feeAmount: '0.1', offerFeePercentage: { bps: 10, percentage: '0.1000' }, flatFee: '0' },
    })
  })
})

describe('the authorization of a deposit', () => {
  const authorize = (parameters: Record<string, string>) =>
    vault('Harbor Dollar').ask<ErrorBody>('/v2/core/authorization', {
      ...{ tokenAddress: tokens.USDC, amount: '5', userAddress: USER.address, ...parameters },
    })

  test.each<Omit<Case, 'prepare'>>([
    {
      ...{ name: 'nothing', parameters: { amount: '0', userAddress: zeroAddress } },
      ...{ reason: 'INVALID_FIELD', fields: ['amount', 'userAddress'] },
    },
    {
      ...{ name: 'a token of nobody', parameters: { tokenAddress: RECEIVERS.burning } },
      ...{ reason: 'ASSET_NOT_DEPOSITABLE', fields: ['tokenAddress'] },
    },
    {
      ...{ name: 'a vault that nobody has', parameters: { vaultAddress: tokens.USDC } },
      reason: 'VAULT_NOT_FOUND',
    },
  ])('error: $name', async ({ parameters = {}, ...wish }) => {
    expectRefusal(await authorize(parameters), wish)
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
        ...{ reason: 'RPC_UNAVAILABLE', metadata: { chainId: '1' } },
      })
  } finally {
    await dead.stop()
  }
})

function startOverDeadNode() {
  return startTestApi({ world: earn.world, rpcUrls: { 1: ['http://127.0.0.1:1'] } })
}

function vault(name: string): EarnClient {
  return earnClient({ world: earn.world, url: earn.api.url }, { name, chainId: 1 })
}

function ask(client: EarnClient, parameters: Record<string, string>) {
  return client.ask<PreparedBody & ErrorBody>('/v2/earn/withdraw', {
    ...{ wantAsset: tokens.USDC, shareAmount: '5000000', userAddress: USER.address },
    ...parameters,
  })
}

function cancelData(orderIndex: string): Hex {
  const args = [BigInt(orderIndex)] as const
  return encodeFunctionData({ abi: withdrawQueueAbi, functionName: 'cancelOrder', args })
}

function freeze(client: EarnClient, account: Address) {
  const { hook = zeroAddress } = client.deployment
  return asOwner(client, hook, ['function setFrozen(address, bool)', account, true])
}
