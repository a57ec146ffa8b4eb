import type { Address } from 'viem'
import type { RowAge } from '../../chain/chainRows.ts'
import type { SharedServices } from '../../context.ts'
import { type ListParams, listQuery } from '../../page/listQuery.ts'
import { pageInMemory } from '../../page/pageInMemory.ts'
import type { Page } from '../../page/pageOfRows.ts'
import { wholeUnits } from '../../token/wholeUnits.ts'
import type { EarnContext } from '../earnContext.ts'
import { baseOf } from './baseOf.ts'
import { composition } from './composition.ts'
import { DEPLOYMENT_FILTER_KEYS, selectDeployments } from './deploymentFilter.ts'
import { type LiveDeployment, readVaultHoldings } from './liveDeployments.ts'
import type { VaultHoldings } from './vaultHoldingsCache.ts'

/** The assets that a vault holds on one chain. Addresses are lower case. */
export type VaultComposition = RowAge & {
  vaultAddress: Address
  chainId: number
  /** The time of the block at which it was read. */
  timestamp: Date
  /** By value, the greatest first; empty for an empty vault. */
  components: VaultComponent[]
}

/** Amount and value are whole units, with all decimals of their asset. */
export type VaultComponent = {
  chainId: number
  assetAddress: Address
  amount: string
  /** In the base, whose symbol is `valueAsset`. */
  value: string
  valueAsset: string
  /** The part of the whole value, with six decimals; all weights sum to 1. */
  weight: string
}

export type VaultCompositionPage = Page<'vaultCompositions', VaultComposition>

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export const vaultCompositionQuery = listQuery({
  list: 'vaultCompositions',
  keys: DEPLOYMENT_FILTER_KEYS,
})

/**
 * The composition of every deployment, by chain and vault. A deployment with a holding that cannot be
 * valued now is left out, and its chain named as degraded. Throws the errors of `vaultCompositionQuery`.
 */
export async function listVaultCompositions(
  context: EarnContext,
  params: ListParams,
): Promise<VaultCompositionPage> {
  const query = vaultCompositionQuery(context, params)
  const live = await readVaultHoldings(
    context,
    selectDeployments(context.addressBook, query.filter),
  )
  const rows = live.flatMap((deployment) => {
    const composed = compose(context, deployment)
    if (composed === null) context.degraded.add(deployment.chainId)
    return composed ?? []
  })
  return pageInMemory(context, query, {
    name: 'vaultCompositions',
    rows,
    place: ({ chainId, vaultAddress }) => [chainId, vaultAddress],
  })
}

function compose(
  context: Pick<SharedServices, 'tokens'>,
  { state, ...deployment }: LiveDeployment<VaultHoldings>,
): VaultComposition | null {
  const components = composition(state.holdings)
  if (components === null) return null
  const { vault, chainId, stale, asOf } = deployment
  const base = baseOf(context, deployment)
  return {
    vaultAddress: vault,
    chainId,
    timestamp: new Date(state.blockTimestamp * 1_000),
    stale,
    asOf,
    components: components.map(({ asset, assetDecimals, balance, value, weight }) => ({
      chainId,
      assetAddress: asset,
      amount: wholeUnits(balance, assetDecimals),
      value: wholeUnits(value, base.decimals),
      valueAsset: base.symbol,
      weight,
    })),
  }
}
