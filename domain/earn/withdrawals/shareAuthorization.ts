import type { Address } from 'viem'
import { findChain } from '../../chain/findChain.ts'
import { type Authorization, readAuthorization } from '../../token/detectAuthorization.ts'
import type { EarnContext } from '../earnContext.ts'
import type { EarnDeployment } from '../vaults/deployments.ts'
import { assetRefusal } from '../vaults/vaultRefusals.ts'
import { assetsAtOnce } from './assetsAtOnce.ts'
import { readWithdrawalConditions } from './withdrawalConditions.ts'

export type SharesToAuthorize = {
  userAddress: Address
  /** Shares. */
  amount: bigint
  /** The asset to withdraw; by default the base, or the vault's first asset where the base is no token. */
  wantAsset?: Address | undefined
}

/**
 * How a user can let the queue in use take shares. Nothing is needed where the withdrawal would be at once.
 * Throws `ASSET_NOT_WITHDRAWABLE` for an asset that the vault does not list, or `RPC_UNAVAILABLE`.
 */
export async function shareAuthorization(
  context: Pick<EarnContext, 'chains' | 'addressBook' | 'settings' | 'knownAddresses'>,
  deployment: EarnDeployment,
  { userAddress, amount, wantAsset }: SharesToAuthorize,
): Promise<Authorization> {
  const { chainId, vault: tokenAddress, queue: spenderAddress, assets, baseToken } = deployment
  const listed = assets.map(({ address }) => address)
  if (wantAsset !== undefined && !listed.includes(wantAsset))
    throw assetRefusal('ASSET_NOT_WITHDRAWABLE', 'wantAsset', wantAsset)
  const asset = wantAsset ?? (listed.includes(baseToken) ? baseToken : listed[0])
  const request = { chainId, tokenAddress, userAddress, spenderAddress, amount }
  const [authorization, isPaidAtOnce] = await Promise.all([
    readAuthorization(context, request),
    asset !== undefined && paysAtOnce(context, deployment, { asset, shares: amount, userAddress }),
  ])
  if (!isPaidAtOnce) return authorization
  return { spenderAddress, alreadyApproved: true, methods: [] }
}

type Withdrawal = { asset: Address; shares: bigint; userAddress: Address }

async function paysAtOnce(
  context: Pick<EarnContext, 'chains' | 'addressBook' | 'knownAddresses'>,
  deployment: EarnDeployment,
  { asset, shares, userAddress }: Withdrawal,
): Promise<boolean> {
  const { chainId } = deployment
  const chain = findChain(context.addressBook, chainId)
  const question = { asset, shares, sender: userAddress, receiver: userAddress }
  const read = await context.chains.read(chainId, (client) =>
    readWithdrawalConditions(
      client,
      { chain, deployment, known: context.knownAddresses },
      question,
    ),
  )
  return assetsAtOnce(shares, read) !== null
}
