import { graphql, type Route, route } from '../route.ts'

const listUserPositionsRoute = route({
  method: 'GET',
  path: '/v2/earn/userPositions',
  operationId: 'listUserPositions',
  field: 'userPositions',
  selection: graphql`{
    userPositions {
      vaultAddress chainId shareBalance positionValueInBase baseAssetAddress exchangeRateToBase
      costBasis realisedEarnings unrealisedEarnings hasTransferredShares
      valueUsd { amount feed updatedAt }
      assetMetadata { name symbol decimals tokenStandard coinGeckoId }
      stale asOf
    }
    nextPageToken
    tokenMetadata
  }`,
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN', 'INDEX_CATCHING_UP', 'RPC_UNAVAILABLE'],
  cache: 'no-cache',
})

/** Routes: the shares of users. */
export const positionRoutes: readonly Route[] = [listUserPositionsRoute]
