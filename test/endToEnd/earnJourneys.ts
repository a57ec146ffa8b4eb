import { randomUUID } from 'node:crypto'
import { type Address, type LocalAccount, parseEventLogs, parseUnits } from 'viem'
import { expect } from 'vitest'
import { accountantAbi } from '../../abis/accountant.ts'
import { withdrawQueueAbi } from '../../abis/withdrawQueue.ts'
import { DEVNET_ACTORS, userAt } from '../../devnet/accounts.ts'
import type { TokenSymbol } from '../../devnet/plan.ts'
import { createKey, type KeyAdministrator } from '../../domain/access/keys.ts'
import {
  createOrganization,
  type OrganizationSettings,
  setOrganization,
} from '../../domain/access/organizations.ts'
import { PERMISSIONS } from '../../domain/access/permissions.ts'
import { undescribed } from '../support/describedAnswer.ts'
import {
  callAs,
  type DepositAuthorizationBody,
  type EarnClient,
  type PreviewedBody,
} from '../support/earn.ts'
import { signPermitData } from '../support/quotes.ts'

export type Deposit = {
  name: string
  chainId: number
  asset: TokenSymbol
  amount: bigint
  user: LocalAccount
  to?: Address
  /** The steps before this one. */
  before?: (client: EarnClient, deposit: Deposit) => Promise<unknown>
  /** The expected authorization, for each request of it. */
  methods: string[]
  /** In the asset, computed by hand from the plan. */
  fee?: bigint
}

/** Named after their special conditions. */
export const DEPOSITS: Record<string, Deposit> = {
  'by permit': {
    name: 'Harbor Dollar',
    chainId: 1,
    asset: 'USDC',
    user: userAt(0),
    amount: parseUnits('2500.123457', 6),
    methods: ['permit'],
  },
  'by approval': {
    name: 'Harbor Dollar',
    chainId: 1,
    asset: 'USDT',
    user: userAt(1),
    amount: 777_777_777n,
    methods: ['approval', 'already_approved'],
  },
  'by approval, after a smaller one was taken back': {
    name: 'Harbor Dollar',
    chainId: 1,
    asset: 'USDT',
    user: userAt(2),
    amount: 5_000_000n,
    before: (client, { user }) =>
      client.approve(user, client.tokenOf('USDT'), [client.deployment.current.depositor, 1n]),
    methods: ['approval', 'approval', 'already_approved'],
  },
  'already approved, to another recipient': {
    name: 'Harbor Dollar',
    chainId: 1,
    asset: 'USDG',
    user: userAt(3),
    amount: 123_456_789n,
    to: userAt(4).address,
    before: (client, { user, amount }) =>
      client.approve(user, client.tokenOf('USDG'), [client.deployment.current.depositor, amount]),
    methods: ['already_approved'],
  },
  'with fee, cap and attestation, by permit': {
    name: 'Harbor Prime',
    chainId: 1,
    asset: 'USDC',
    user: userAt(0),
    amount: 1_000_000_001n,
    methods: ['permit'],
    // 5 bps rounded up, and half a dollar.
    fee: 500_001n + 500_000n,
  },
  'with fee, cap and attestation, 18 decimals, to another recipient': {
    name: 'Harbor Prime',
    chainId: 1,
    asset: 'USDS',
    user: userAt(5),
    amount: parseUnits('10000.000000000000000001', 18),
    to: userAt(6).address,
    methods: ['permit'],
    fee: parseUnits('5.000000000000000001', 18) + parseUnits('0.5', 18),
  },
  'of the older generation, by permit': {
    name: 'Harbor Classic',
    chainId: 1,
    asset: 'USDC',
    user: userAt(1),
    amount: 600_000_000n,
    methods: ['permit'],
  },
  'into a vault that counts in what is no token': {
    name: 'Harbor Gold',
    chainId: 999,
    asset: 'USDC',
    user: userAt(0),
    amount: 9_000_000_000n,
    methods: ['permit'],
  },
}

/** Raises the rate by half a percent, after the accountant's minimum time between two updates. */
export async function raiseRate(of: EarnClient) {
  const { client, deployment } = of
  const { accountant } = deployment.current
  const rate = await rateInBase(of)
  await client.increaseTime({ seconds: 10 })
  await callAs({ client }, DEVNET_ACTORS.rateUpdater, {
    address: accountant,
    call: ['function updateExchangeRate(uint96)', (rate * 1_005n) / 1_000n + 7n],
  })
  const after = await client.readContract({
    address: accountant,
    abi: accountantAbi,
    functionName: 'getRateSafe',
  })
  expect(after).toBeGreaterThan(rate)
}

/** Follows the API's steps until none is left; returns a permit. */
export async function authorize(client: EarnClient, { asset, amount, user, methods }: Deposit) {
  for (const expected of methods) {
    const answer = await client.ask<DepositAuthorizationBody>('/v2/core/authorization', {
      tokenAddress: client.tokenOf(asset),
      amount: String(amount),
      userAddress: user.address,
    })
    const { method, permitData, approvalTransaction } = answer.body
    expect([answer.status, method]).toEqual([200, expected])
    expect(undescribed(answer.url, answer.status, answer.body)).toEqual([])
    if (permitData)
      return {
        permitSignature: await signPermitData(user, permitData),
        permitDeadline: permitData.deadline,
      }
    if (approvalTransaction) {
      const receipt = await client.send(user, {
        to: client.tokenOf(asset),
        data: approvalTransaction.encoded,
      })
      expect(receipt.status).toBe('success')
    }
  }
  return {}
}

type Places = { token: Address; share: Address; user: Address; to: Address }

/** The token balances of user, vault and fee recipient, and the recipient's shares. */
export async function holdings(client: EarnClient, { token, share, user, to }: Places) {
  const [ofUser, ofVault, fees, shares] = await Promise.all([
    client.balance(token, user),
    client.balance(token, share),
    client.balance(token, DEVNET_ACTORS.feeRecipient.address),
    client.balance(share, to),
  ])
  return { user: ofUser, vault: ofVault, fees, shares }
}

/** Sends the request that the API prepares, and returns its index. */
export async function submit(
  client: EarnClient,
  user: LocalAccount,
  parameters: Record<string, string>,
) {
  const { body } = await client.ask<PreviewedBody>('/v2/earn/withdraw', {
    ...parameters,
    userAddress: user.address,
  })
  const { vault: share, current } = client.deployment
  await client.approve(user, share, [current.queue, BigInt(parameters.shareAmount ?? 0)])
  const receipt = await client.send(user, body.transaction, body.preview)
  expect(receipt.status).toBe('success')
  return String(
    await client.client.readContract({
      address: current.queue,
      abi: withdrawQueueAbi,
      functionName: 'latestOrder',
    }),
  )
}

/** The fee of a withdrawal by the API. */
export function previewFee(
  client: EarnClient,
  { want, shareAmount }: { want: Address; shareAmount: bigint },
) {
  return client
    .ask<{ feeAmount: string }>('/v2/earn/calculateWithdrawalFee', {
      wantAsset: want,
      offerAmount: String(shareAmount),
    })
    .then(({ body }) => ({ ...(body as { feeAmount: string }) }))
}

/** Settles the next request, or refunds it. */
export function process({ client, deployment }: EarnClient) {
  return callAs({ client }, DEVNET_ACTORS.queueProcessor, {
    address: deployment.current.queue,
    call: ['function processOrders(uint256)', 1n],
  })
}

/** Settles the next request, and returns its outcome. */
export async function processOrder(client: EarnClient) {
  const { logs } = await process(client)
  const [event] = parseEventLogs({ abi: withdrawQueueAbi, logs, eventName: 'OrderProcessed' })
  if (!event) throw new Error('nothing was processed')
  return event.args
}

/** By the contracts: the deadline of the permit and the expiration of an attestation, the earlier one. */
export function expiryOf(
  args: unknown[],
  { permitDeadline }: { permitDeadline?: string },
): string | null {
  const attestation = args.find((arg) => typeof arg === 'object' && arg !== null)
  const expiration = (attestation as { expiration?: string } | undefined)?.expiration
  const times = [permitDeadline, expiration].filter((time) => time !== undefined && time !== '0')
  if (times.length === 0) return null
  return new Date(Math.min(...times.map(Number)) * 1_000).toISOString()
}

/** The accountant's rate, in base units of the base per whole share. */
export function rateInBase({ client, deployment }: EarnClient): Promise<bigint> {
  return client.readContract({
    address: deployment.current.accountant,
    abi: accountantAbi,
    functionName: 'getRate',
  })
}

/** The authorization of a vault's shares. */
export function authorizeShares(
  client: EarnClient,
  user: LocalAccount,
  parameters: Record<string, string>,
) {
  return client.ask<DepositAuthorizationBody>('/v2/core/authorization', {
    tokenAddress: client.deployment.vault,
    userAddress: user.address,
    ...parameters,
  })
}

/** Sends what the API prepared; it must succeed. */
export async function sendPrepared(
  client: EarnClient,
  user: LocalAccount,
  { transaction, preview }: PreviewedBody,
) {
  const receipt = await client.send(user, transaction, preview)
  expect(receipt.status).toBe('success')
  return receipt
}

/** A key of a new organization with these settings. */
export async function organizationKey(
  administrator: KeyAdministrator,
  settings: OrganizationSettings,
): Promise<string> {
  const { id } = await createOrganization(administrator, randomUUID())
  await setOrganization(administrator, id, settings)
  return (await createKey(administrator, { organizationId: id, permissions: PERMISSIONS })).key
}
