import { type Address, formatUnits, type PublicClient, zeroAddress } from 'viem'
import { feeModuleAbi } from '../../abis/feeModule.ts'
import { vaultAbi } from '../../abis/vault.ts'
import { readBlockTime } from '../chain/blockTime.ts'
import { findChain } from '../chain/findChain.ts'
import { mustRead, tryRead } from '../chain/gatheredReads.ts'
import type { RequestContext } from '../context.ts'
import { invalidFields } from '../error/serviceError.ts'
import { refuseAmount } from '../token/refuseZero.ts'
import { followWithdrawFeeModule, readFee, readSupport } from './deploymentReads.ts'
import { type EarnDeployment, getDeployment } from './deployments.ts'
import { assetRefusal, vaultPaused } from './vaultRefusals.ts'

export type WithdrawalFeeParams = {
  /** Shares, base units. */
  offerAmount: bigint
  wantAsset: Address
  vaultAddress: Address
  chainId: number
}

/** What a queue takes of an order. Amounts are whole units as decimal text. */
export type WithdrawalFee = {
  /** Shares, of all that is charged. */
  feeAmount: string
  /** Basis points. */
  bps: bigint
  /** Of the want asset, on every order, within `feeAmount`. */
  flatFee: string
}

/** What is wrong with those of the parameters that are given. */
export function withdrawalFeeViolations(params: Partial<WithdrawalFeeParams>) {
  return refuseAmount('offerAmount', params.offerAmount)
}

/**
 * What the queue's fee module takes of an order, as of now. Throws `VAULT_NOT_FOUND`,
 * `ASSET_NOT_WITHDRAWABLE`, `VAULT_PAUSED` or `RPC_UNAVAILABLE`.
 */
export async function withdrawalFee(
  context: RequestContext,
  params: WithdrawalFeeParams,
): Promise<WithdrawalFee> {
  const violations = withdrawalFeeViolations(params)
  if (violations.length > 0) throw invalidFields(violations)
  const { chainId, wantAsset } = params
  const deployment = getDeployment(context.addressBook, chainId, params.vaultAddress)
  const asset = context.tokens.listed(chainId, wantAsset)
  if (!asset || !deployment.assets.some(({ address }) => address === wantAsset))
    throw assetRefusal('ASSET_NOT_WITHDRAWABLE', 'wantAsset', wantAsset)
  const chain = findChain(context.addressBook, chainId)
  const [fee, decimals, { withdrawable }] = await context.chains.read(chainId, (client) =>
    Promise.all([
      followWithdrawFeeModule(client, context.knownAddresses, deployment, (module) =>
        readOrderFee(client, module, { deployment, params }),
      ),
      mustRead(client, { address: deployment.vault, abi: vaultAbi, functionName: 'decimals' }),
      readSupport(client, deployment.teller, wantAsset),
      readBlockTime(client, chain),
    ]),
  )
  if (!withdrawable) throw assetRefusal('ASSET_NOT_WITHDRAWABLE', 'wantAsset', wantAsset)
  if (fee.total === null)
    throw vaultPaused(
      deployment,
      'names no fee of this now: its fee module refuses, as it does while the accountant is paused',
    )
  return {
    feeAmount: formatUnits(fee.total, decimals),
    bps: fee.bps,
    flatFee: formatUnits(fee.flat, asset.decimals),
  }
}

type Order = { deployment: EarnDeployment; params: WithdrawalFeeParams }

/** `total` is in shares, null where the module refuses: it asks the accountant for a rate. */
async function readOrderFee(
  client: PublicClient,
  module: Address | null,
  { deployment, params }: Order,
): Promise<{ total: bigint | null; bps: bigint; flat: bigint }> {
  if (module === null) return { total: 0n, bps: 0n, flat: 0n }
  const { offerAmount, wantAsset } = params
  const [total, { bps, flat }] = await Promise.all([
    tryRead(client, {
      address: module,
      abi: feeModuleAbi,
      functionName: 'calculateOfferFees',
      // Whoever receives pays the same.
      args: [offerAmount, deployment.vault, wantAsset, zeroAddress],
    }),
    readFee(client, wantAsset, { module, of: 'withdrawTokenFeeData' }),
  ])
  return { total, bps, flat }
}
