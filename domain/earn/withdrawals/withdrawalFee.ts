import { type Address, formatUnits } from 'viem'
import { vaultAbi } from '../../../abis/vault.ts'
import { readBlockTime } from '../../chain/blockTime.ts'
import { findChain } from '../../chain/findChain.ts'
import { mustRead } from '../../chain/gatheredReads.ts'
import { invalidFields } from '../../error/serviceError.ts'
import { refuseAmount } from '../../token/refuseZero.ts'
import type { EarnContext } from '../earnContext.ts'
import { readQueueSupport } from '../vaults/contractReads.ts'
import { getDeployment } from '../vaults/deployments.ts'
import {
  followWithdrawFeeModule,
  readRequestFee,
  readWithdrawFee,
} from '../vaults/feeModuleReads.ts'
import { assetRefusal, vaultPaused } from '../vaults/vaultRefusals.ts'

export type WithdrawalFeeParams = {
  /** Shares, base units. */
  offerAmount: bigint
  wantAsset: Address
  vaultAddress: Address
  chainId: number
}

/** The queue's fee for a withdrawal request. Amounts are whole units as decimal text. */
export type WithdrawalFee = {
  /** The whole fee, in shares. */
  feeAmount: string
  /** Basis points. */
  bps: bigint
  /** The flat part, in the want asset; `feeAmount` includes it. */
  flatFee: string
}

/** The violations in the given parameters. */
export function withdrawalFeeViolations(params: Partial<WithdrawalFeeParams>) {
  return refuseAmount('offerAmount', params.offerAmount)
}

/**
 * The fee that the queue's fee module charges for a withdrawal request now. Throws `VAULT_NOT_FOUND`,
 * `ASSET_NOT_WITHDRAWABLE`, `VAULT_PAUSED` or `RPC_UNAVAILABLE`.
 */
export async function withdrawalFee(
  context: EarnContext,
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
  const { vault } = deployment
  const order = { vault, shares: params.offerAmount, asset: wantAsset }
  const known = context.knownAddresses
  const [[total, { bps, flat }], decimals, { withdrawable }] = await context.chains.read(
    chainId,
    (client) =>
      Promise.all([
        followWithdrawFeeModule(client, known, deployment, (module) =>
          Promise.all([
            readRequestFee(client, module, order),
            readWithdrawFee(client, module, wantAsset),
          ]),
        ),
        mustRead(client, { address: vault, abi: vaultAbi, functionName: 'decimals' }),
        readQueueSupport(client, known, { deployment, asset: wantAsset }),
        readBlockTime(client, chain),
      ]),
  )
  if (!withdrawable) throw assetRefusal('ASSET_NOT_WITHDRAWABLE', 'wantAsset', wantAsset)
  if (total === null)
    throw vaultPaused(
      deployment,
      'names no fee of this now: its fee module refuses, as it does while the accountant is paused',
    )
  return {
    feeAmount: formatUnits(total, decimals),
    bps,
    flatFee: formatUnits(flat, asset.decimals),
  }
}
