import type { Address } from 'viem'
import type { RowAge } from '../../chain/chainRows.ts'
import type { SharedServices } from '../../context.ts'
import type { Filter, FilterKeys } from '../../filter/filter.ts'
import { matchesFilter } from '../../filter/matchesFilter.ts'
import { type ListParams, type ListQuery, listQuery } from '../../page/listQuery.ts'
import { pageInMemory } from '../../page/pageInMemory.ts'
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
export type VaultAssetPage = { vaultAssets: VaultAsset[]; nextPageToken: string | null }

/** The filter keys of the list. */
export const VAULT_ASSET_FILTER_KEYS = {
  vaultAddress: { type: 'address' },
  chainId: { type: 'integer' },
  depositable: { type: 'boolean' },
  withdrawable: { type: 'boolean' },
} as const satisfies FilterKeys

type Cursor = [chainId: number, vault: Address, asset: Address]

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export function vaultAssetQuery(
  context: Pick<SharedServices, 'appSecret'>,
  params: ListParams,
): ListQuery<Cursor> {
  return listQuery(context, { list: 'vaultAssets', keys: VAULT_ASSET_FILTER_KEYS, params })
}

/** Every asset of every deployment, by chain, vault and asset. Throws the errors of `vaultAssetQuery`. */
export async function listVaultAssets(
  context: EarnContext,
  params: ListParams,
): Promise<VaultAssetPage> {
  const query = vaultAssetQuery(context, params)
  const { filter } = query
  // Only chains that can have a match are read.
  const candidates = earnDeployments(context.addressBook).filter(
    (deployment) => filter === null || mayMatch(filter, deployment),
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
  const matching = all.filter(
    ({ vaultAddress, chainId, depositable, withdrawable }) =>
      filter === null ||
      matchesFilter(filter, { vaultAddress, chainId, depositable, withdrawable }),
  )
  const page = pageInMemory(
    context,
    query,
    matching,
    (row): Cursor => [...([row.chainId, row.vaultAddress, row.assetAddress] as const)],
  )
  return { vaultAssets: page.items, nextPageToken: page.nextPageToken }
}

function mayMatch(filter: Filter, { vault, chainId, assets }: EarnDeployment): boolean {
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
