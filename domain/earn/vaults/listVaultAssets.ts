import type { Address } from 'viem'
import type { RowAge } from '../../chain/chainRows.ts'
import type { Filter } from '../../filter/filter.ts'
import { matchesFilter } from '../../filter/matchesFilter.ts'
import { type ListParams, listQuery } from '../../page/listQuery.ts'
import { pageInMemory } from '../../page/pageInMemory.ts'
import type { Page } from '../../page/pageOfRows.ts'
import type { EarnContext } from '../earnContext.ts'
import { type EarnDeployment, earnDeployments } from './deployments.ts'
import { readDeploymentStates } from './liveDeployments.ts'

/** An asset of a vault on one chain: whether it can be deposited and withdrawn. Addresses are lower case. */
export type VaultAsset = RowAge & {
  vaultAddress: Address
  chainId: number
  assetAddress: Address
  depositable: boolean
  withdrawable: boolean
}
export type VaultAssetPage = Page<'vaultAssets', VaultAsset>

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export const vaultAssetQuery = listQuery({
  list: 'vaultAssets',
  keys: {
    vaultAddress: { type: 'address' },
    chainId: { type: 'integer' },
    depositable: { type: 'boolean' },
    withdrawable: { type: 'boolean' },
  },
})

/** Every asset of every deployment, by chain, vault and asset. Throws the errors of `vaultAssetQuery`. */
export async function listVaultAssets(
  context: EarnContext,
  params: ListParams,
): Promise<VaultAssetPage> {
  const query = vaultAssetQuery(context, params)
  const { filter } = query
  // Only chains that can have a match are read.
  const candidates = earnDeployments(context.addressBook).filter((deployment) =>
    mayMatch(filter, deployment),
  )
  const live = await readDeploymentStates(context, candidates)
  const all = live.flatMap(({ vault, chainId, state, stale, asOf }) =>
    state.assets.map(({ address, depositable, withdrawable }) => ({
      vaultAddress: vault,
      chainId,
      assetAddress: address,
      depositable,
      withdrawable,
      stale,
      asOf,
    })),
  )
  const rows = all.filter(({ vaultAddress, chainId, depositable, withdrawable }) =>
    matchesFilter(filter, { vaultAddress, chainId, depositable, withdrawable }),
  )
  return pageInMemory(context, query, {
    name: 'vaultAssets',
    rows,
    place: ({ chainId, vaultAddress, assetAddress }) => [chainId, vaultAddress, assetAddress],
  })
}

function mayMatch(filter: Filter | null, { vault, chainId, assets }: EarnDeployment): boolean {
  const isOrIsNot = [true, false]
  return assets.some(({ address }) =>
    isOrIsNot.some((depositable) =>
      isOrIsNot.some((withdrawable) =>
        matchesFilter(filter, {
          vaultAddress: vault,
          chainId,
          assetAddress: address,
          depositable,
          withdrawable,
        }),
      ),
    ),
  )
}
