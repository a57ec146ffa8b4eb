import { graphql, type Route, route } from '../route.ts'

/** Vaults, their assets, caps and compositions. */
export const vaultRoutes: readonly Route[] = [
  route({
    path: '/v2/earn/vaults',
    operationId: 'listVaults',
    field: 'vaults',
    selection: graphql`{
      vaults {
        name
        deployments {
          chainId boringVaultAddress depositorAddress withdrawQueueAddress requiresKyt
          baseTokenAddress accountantAddress tellerAddress depositFeeAddress withdrawFeeAddress
          inDeprecation stale asOf
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
      tokenMetadata
    }`,
    errors: ['RPC_UNAVAILABLE'],
    cache: 10,
    isShared: true,
  }),
  route({
    path: '/v2/earn/vaultAssets',
    operationId: 'listVaultAssets',
    field: 'vaultAssets',
    selection: graphql`{
      vaultAssets { vaultAddress chainId assetAddress depositable withdrawable stale asOf }
      nextPageToken
      tokenMetadata
    }`,
    errors: ['RPC_UNAVAILABLE'],
    cache: 10,
  }),
  route({
    path: '/v2/earn/supplyCaps',
    operationId: 'listSupplyCaps',
    field: 'supplyCaps',
    selection: graphql`{
      supplyCaps { vaultAddress chainId totalSupplyInBase supplyCap percentageFilled stale asOf }
      nextPageToken
    }`,
    errors: ['RPC_UNAVAILABLE'],
    cache: 10,
  }),
  route({
    path: '/v2/earn/vaultCompositions',
    operationId: 'listVaultCompositions',
    field: 'vaultCompositions',
    selection: graphql`{
      vaultCompositions {
        vaultAddress chainId timestamp stale asOf
        components {
          assetAddress amount value valueAsset weight positionKind instrumentType
          positionRef { type id }
        }
      }
      nextPageToken
      tokenMetadata
    }`,
    errors: ['RPC_UNAVAILABLE'],
    cache: 10,
  }),
  /** Existing clients know this path. */
  route({
    path: '/v1/protocol/withdraw-assets',
    operationId: 'getWithdrawAssets',
    field: 'withdrawAssets',
    selection: '',
    cache: 10,
    isShared: true,
  }),
]
