import { z } from 'zod'
import { DEPLOYMENT_FILTER_KEYS } from '../../domain/earn/vaults/deploymentFilter.ts'
import { supplyCapQuery } from '../../domain/earn/vaults/listSupplyCaps.ts'
import {
  VAULT_ASSET_FILTER_KEYS,
  vaultAssetQuery,
} from '../../domain/earn/vaults/listVaultAssets.ts'
import { vaultCompositionQuery } from '../../domain/earn/vaults/listVaultCompositions.ts'
import { VAULT_FILTER_KEYS, vaultQuery } from '../../domain/earn/vaults/listVaults.ts'
import { listParameters, listRefusals } from './listRoute.ts'
import { graphql, type Route, route } from './route.ts'

const listVaultsRoute = route({
  method: 'GET',
  path: '/v2/earn/vaults',
  operationId: 'listVaults',
  summary: 'The vaults and their deployments, by name',
  params: z.object(listParameters(VAULT_FILTER_KEYS)),
  refusals: listRefusals(vaultQuery),
  document: graphql`
    query listVaults($filter: String, $pageSize: Int!, $pageToken: String) {
      body: vaults(filter: $filter, pageSize: $pageSize, pageToken: $pageToken) {
        vaults {
          name
          deployments {
            chainId boringVaultAddress depositorAddress withdrawQueueAddress requiresKyt
            baseTokenAddress accountantAddress tellerAddress depositFeeAddress withdrawFeeAddress
            inDeprecation
            depositSupplyCap { raw formatted decimals hasCap }
            minimumWithdrawalOrderSize { raw formatted decimals }
            assets {
              assetAddress depositable withdrawable
              depositFees { bps percentage }
              withdrawFees { bps percentage }
              withdrawalSLAs {
                expectedDelay expiryBuffer internalWithdrawalQueueDelaySLA
                externalWithdrawalQueueDelaySLA internalAccountantRateUpdateDelaySLA
                externalAccountantRateUpdateSLA
              }
            }
          }
        }
        nextPageToken
      }
    }
  `,
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN', 'RPC_UNAVAILABLE'],
  cache: 10,
  isShared: true,
})

const listVaultAssetsRoute = route({
  method: 'GET',
  path: '/v2/earn/vaultAssets',
  operationId: 'listVaultAssets',
  summary: 'What every vault takes and gives',
  params: z.object(listParameters(VAULT_ASSET_FILTER_KEYS)),
  refusals: listRefusals(vaultAssetQuery),
  document: graphql`
    query listVaultAssets($filter: String, $pageSize: Int!, $pageToken: String) {
      body: vaultAssets(filter: $filter, pageSize: $pageSize, pageToken: $pageToken) {
        vaultAssets { vaultAddress chainId assetAddress depositable withdrawable }
        nextPageToken
        tokenMetadata
      }
    }
  `,
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN', 'RPC_UNAVAILABLE'],
  cache: 10,
})

const listSupplyCapsRoute = route({
  method: 'GET',
  path: '/v2/earn/supplyCaps',
  operationId: 'listSupplyCaps',
  summary: 'How full every vault is',
  params: z.object(listParameters(DEPLOYMENT_FILTER_KEYS)),
  refusals: listRefusals(supplyCapQuery),
  document: graphql`
    query listSupplyCaps($filter: String, $pageSize: Int!, $pageToken: String) {
      body: supplyCaps(filter: $filter, pageSize: $pageSize, pageToken: $pageToken) {
        supplyCaps { vaultAddress chainId totalSupplyInBase supplyCap percentageFilled }
        nextPageToken
      }
    }
  `,
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN', 'RPC_UNAVAILABLE'],
  cache: 10,
})

const listVaultCompositionsRoute = route({
  method: 'GET',
  path: '/v2/earn/vaultCompositions',
  operationId: 'listVaultCompositions',
  summary: 'What every vault consists of',
  params: z.object(listParameters(DEPLOYMENT_FILTER_KEYS)),
  refusals: listRefusals(vaultCompositionQuery),
  document: graphql`
    query listVaultCompositions($filter: String, $pageSize: Int!, $pageToken: String) {
      body: vaultCompositions(filter: $filter, pageSize: $pageSize, pageToken: $pageToken) {
        vaultCompositions {
          vaultAddress chainId timestamp
          components {
            assetAddress amount value valueAsset weight positionKind instrumentType
            positionRef { type id }
          }
        }
        nextPageToken
      }
    }
  `,
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN', 'RPC_UNAVAILABLE'],
  cache: 10,
})

/** What the chains say of the vaults. */
export const earnReadRoutes: readonly Route[] = [
  listVaultsRoute,
  listVaultAssetsRoute,
  listSupplyCapsRoute,
  listVaultCompositionsRoute,
]
