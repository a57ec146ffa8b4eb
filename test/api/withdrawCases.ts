import { getAddress, maxUint256, zeroAddress } from 'viem'
import { withdrawQueueAbi } from '../../abis/withdrawQueue.ts'
import { DEVNET_SOLVER, userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { selectorOf, VAULT_ROLES } from '../../devnet/vaults/roles.ts'
import type { RequestTerms } from '../../domain/earn/withdrawals/prepareWithdrawal.ts'
import { asOwner, type EarnClient, earnClient, freeze, type PreparedBody } from '../support/earn.ts'
import { type EarnWorld, startEarnWorld } from '../support/earnWorld.ts'
import type { ErrorBody, Refusal } from '../support/refusal.ts'

const [USER, OTHER] = [userAt(0), userAt(1)]
const { tokens } = DEPLOYMENT
const dollar = vaultDeployment('Harbor Dollar', 1).current
/** Addresses for contracts that receive receipts. */
export const RECEIVERS = {
  taking: `0x${'71'.repeat(20)}`,
  refusing: `0x${'72'.repeat(20)}`,
  burning: `0x${'73'.repeat(20)}`,
  checking: `0x${'74'.repeat(20)}`,
  wrong: `0x${'75'.repeat(20)}`,
} as const

/** The queue takes 0.05 shares and a thousandth; one unit of the asset is a millionth of a share. */
export const LEAST_PRIME_SHARES = ((5n * 10n ** 16n + 10n ** 12n) * 1_000n + 998n) / 999n

export type WithdrawCase = Refusal & {
  name: string
  vault?: string
  /** Changes the chain before the request. */
  prepare?: (client: EarnClient) => Promise<unknown>
  parameters?: Record<string, string>
  /** The revert of the same request on chain; absent if the chain does not enforce the rule. */
  forced?: Partial<RequestTerms>
  reverts?: unknown[]
}

/** Every reason to refuse a withdrawal. */
export const WITHDRAW_CASES: WithdrawCase[] = [
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
    reason: 'RECEIVER_CANNOT_USE',
    fields: ['receiver'],
    forced: { receiver: zeroAddress },
    reverts: ['ZeroAddress'],
  },
  {
    name: 'nobody for a refund',
    parameters: { refundReceiver: zeroAddress },
    reason: 'RECEIVER_CANNOT_USE',
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
        dollar.queue,
        selectorOf(withdrawQueueAbi, 'submitOrder'),
        false,
      ]),
    reason: 'VAULT_PAUSED',
    forced: {},
    reverts: ['Error', 'UNAUTHORIZED'],
  },
  {
    // The queue would accept the request, and refund it in its turn.
    name: 'a queue that has lost its role',
    prepare: (client) =>
      asOwner(client, client.deployment.authority, [
        'function setUserRole(address, uint8, bool)',
        dollar.queue,
        VAULT_ROLES.solver,
        false,
      ]),
    reason: 'VAULT_NOT_CONNECTED',
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
    // The queue would accept the request. It could not give the shares back.
    name: 'a refund to an account that the vault has frozen',
    vault: 'Harbor Prime',
    prepare: (client) => freeze(client, OTHER.address),
    parameters: {
      wantAsset: tokens.USDG,
      shareAmount: String(10n ** 18n),
      refundReceiver: OTHER.address,
    },
    reason: 'ACCOUNT_FROZEN',
    metadata: { account: OTHER.address },
    fields: ['refundReceiver'],
  },
  {
    // The queue would accept the request, and refund it in its turn.
    name: 'a receiver whom the vault has frozen',
    vault: 'Harbor Prime',
    prepare: (client) => freeze(client, OTHER.address),
    parameters: {
      wantAsset: tokens.USDG,
      shareAmount: String(10n ** 18n),
      receiver: OTHER.address,
    },
    reason: 'ACCOUNT_FROZEN',
    metadata: { account: OTHER.address },
    fields: ['receiver'],
  },
  {
    // The queue would accept the request, and revert at it: nobody behind it would be paid.
    name: 'an asset without a source of its rate',
    prepare: (client) =>
      asOwner(client, dollar.accountant, [
        'function setRateProviderData(address, bool, address)',
        tokens.USDC,
        false,
        zeroAddress,
      ]),
    reason: 'ASSET_NOT_WITHDRAWABLE',
    metadata: { asset: tokens.USDC },
    fields: ['wantAsset'],
  },
  {
    name: 'no more shares than the fee',
    vault: 'Harbor Prime',
    // The fee: a tenth of a percent and 0.05 dollars, which are 0.05 shares.
    parameters: { shareAmount: String(5n * 10n ** 16n) },
    reason: 'WITHDRAWAL_TOO_SMALL',
    metadata: {
      fee: String(5n * 10n ** 13n + 5n * 10n ** 16n),
      minOrderSize: String(LEAST_PRIME_SHARES),
      asset: vaultDeployment('Harbor Prime', 1).vault,
    },
    fields: ['shareAmount'],
  },
  {
    name: 'shares of which less than one unit of the asset is left after the fee',
    vault: 'Harbor Prime',
    parameters: { shareAmount: String(LEAST_PRIME_SHARES - 1n) },
    reason: 'WITHDRAWAL_TOO_SMALL',
    fields: ['shareAmount'],
  },
  {
    name: 'the same while the accountant is paused',
    vault: 'Harbor Prime',
    prepare: (client) =>
      asOwner(client, client.deployment.current.accountant, ['function pause()']),
    parameters: { shareAmount: String(LEAST_PRIME_SHARES - 1n) },
    reason: 'WITHDRAWAL_TOO_SMALL',
    fields: ['shareAmount'],
  },
  {
    name: 'a vault that nobody has',
    parameters: { vaultAddress: tokens.USDC },
    reason: 'VAULT_NOT_FOUND',
  },
]

/** A world: the first user has shares of two vaults and approved a queue, the solver has shares of one. */
export async function startWithdrawWorld(): Promise<EarnWorld> {
  const earn = await startEarnWorld([1, 4663])
  try {
    const client = vaultOf(earn, 'Harbor Dollar')
    for (const user of [USER, DEVNET_SOLVER]) await client.giveShares(user, 'USDC', 100_000_000n)
    await client.approve(USER, client.deployment.vault, [dollar.queue, maxUint256])
    await vaultOf(earn, 'Harbor Prime').giveShares(USER, 'USDG', 5_000_000n)
    return earn
  } catch (error) {
    await earn.stop()
    throw error
  }
}

/** A vault of chain 1 there. */
export function vaultOf({ world, api }: EarnWorld, name: string): EarnClient {
  return earnClient({ world, url: api.url }, { name, chainId: 1 })
}

type WithdrawBody = PreparedBody & { remainder: { shares: string; isWithdrawable: boolean } }

/** Requests a withdrawal of the first user, five dollars by default. */
export function askToWithdraw(client: EarnClient, parameters: Record<string, string>) {
  return client.ask<WithdrawBody & ErrorBody>('/v2/earn/withdraw', {
    wantAsset: tokens.USDC,
    shareAmount: '5000000',
    userAddress: USER.address,
    ...parameters,
  })
}
