import { listVaultApys } from '../../../domain/earn/series/listVaultApys.ts'
import { listVaultTvls } from '../../../domain/earn/series/listVaultTvls.ts'
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
    keep: keepAnswers({
      read: listVaultApys,
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
    keep: keepAnswers({ read: listVaultTvls, rootOf: (vaultTvls) => ({ vaultTvls }) }),
  }),
]
