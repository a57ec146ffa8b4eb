import type { Address } from 'viem'
import type { EarnContext } from '../earnContext.ts'
import { earnDeployments } from './deployments.ts'
import { readDeploymentStates } from './liveDeployments.ts'
import { deploymentKey } from './neverUpdatedRates.ts'

/** Basis points by chain id, vault and asset. The addresses are lower case. */
export type WithdrawAssetMap = Record<string, Record<string, Record<string, number>>>

export type WithdrawAssetsParams = {
  chainId?: number | undefined
  vaultAddress?: Address | undefined
}

/**
 * The slippage of every asset that a vault pays out, of vaults in deprecation too; of one chain and one vault if
 * they are given. An asset that its chain refuses is left out. Where the chain cannot be read, the assets are those
 * of the address book, because clients keep this map for minutes.
 */
export async function listWithdrawAssets(
  context: EarnContext,
  { chainId: ofChain, vaultAddress }: WithdrawAssetsParams,
): Promise<WithdrawAssetMap> {
  const deployments = earnDeployments(context.addressBook).filter(
    ({ chainId, vault }) => chainId === (ofChain ?? chainId) && vault === (vaultAddress ?? vault),
  )
  // The address book stands in for a chain of which nothing is known.
  const live = await readDeploymentStates({ ...context, lostChains: [] }, deployments)
  const stateOf = new Map(live.map((entry) => [deploymentKey(entry), entry.state]))
  const map: WithdrawAssetMap = {}
  for (const deployment of deployments) {
    const { chainId, vault } = deployment
    const assets = stateOf
      .get(deploymentKey(deployment))
      ?.assets.filter(({ withdrawable }) => withdrawable)
    if (!assets) context.degraded.add(chainId)
    const slippages = (assets ?? deployment.assets).map(
      ({ address }) => [address, context.settings.depositSlippageBps] as const,
    )
    if (slippages.length === 0) continue
    map[chainId] = { ...map[chainId], [vault]: Object.fromEntries(slippages) }
  }
  return map
}
