import { graphql, type Route, route } from '../route.ts'

const listVaultApysRoute = route({
  method: 'GET',
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
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN', 'INDEX_CATCHING_UP', 'RPC_UNAVAILABLE'],
  cache: 10,
})

const listVaultTvlsRoute = route({
  method: 'GET',
  path: '/v2/earn/vaultTvls',
  operationId: 'listVaultTvls',
  field: 'vaultTvls',
  selection: graphql`{
    vaultTvls { vaultAddress chainId timestamp interval tvl tvlAsset stale asOf }
    nextPageToken
  }`,
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN', 'INDEX_CATCHING_UP', 'RPC_UNAVAILABLE'],
  cache: 10,
})

/** Vaults over time. */
export const seriesRoutes: readonly Route[] = [listVaultApysRoute, listVaultTvlsRoute]
