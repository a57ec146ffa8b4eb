import {
  listVaultApys,
  type VaultApyPage,
  type VaultApyParams,
} from '../../../domain/earn/series/listVaultApys.ts'
import {
  listVaultTvls,
  type VaultTvlPage,
  type VaultTvlParams,
} from '../../../domain/earn/series/listVaultTvls.ts'
import { keepAnswers } from '../keepAnswers.ts'
import { graphql, type Route, route } from '../route.ts'

/** Vaults over time. */
export const seriesRoutes: readonly Route[] = [
  route({
    path: '/v2/earn/vaultApys',
    operationId: 'listVaultApys',
    field: 'vaultApys',
    selection: graphql`{
      vaultApys {
        vaultAddress chainId timestamp interval apy windowSeconds
        windows { day week month sinceLaunch } grossApy stale asOf
      }
      nextPageToken
    }`,
    errors: ['INDEX_CATCHING_UP', 'RPC_UNAVAILABLE'],
    cache: 10,
    keep: keepAnswers<VaultApyPage>({
      // Casts here and below, because the values are those of the route's own parameters.
      read: (context, args) => listVaultApys(context, args as VaultApyParams),
      markOf: (context, { readWindows }) => readWindows(context),
      rootOf: (vaultApys) => ({ vaultApys }),
    }),
  }),
  route({
    path: '/v2/earn/vaultTvls',
    operationId: 'listVaultTvls',
    field: 'vaultTvls',
    selection: graphql`{
      vaultTvls { vaultAddress chainId timestamp interval tvl tvlAsset stale asOf }
      nextPageToken
    }`,
    errors: ['INDEX_CATCHING_UP', 'RPC_UNAVAILABLE'],
    cache: 10,
    keep: keepAnswers<VaultTvlPage>({
      read: (context, args) => listVaultTvls(context, args as VaultTvlParams),
      markOf: async () => '',
      rootOf: (vaultTvls) => ({ vaultTvls }),
    }),
  }),
]
