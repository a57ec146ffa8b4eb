import { graphql, type Route, route } from '../route.ts'

const listActivityRoute = route({
  method: 'GET',
  path: '/v2/earn/activity',
  operationId: 'listActivity',
  field: 'activity',
  selection: graphql`{
    activity {
      id type chainId vaultAddress userAddress counterparty assetAddress assetAmount shareAmount
      exchangeRateToBase valueInBase txHash logIndex blockNumber timestamp orderIndex depositId
    }
    nextPageToken
    tokenMetadata
  }`,
  optional: ['counterparty', 'assetAddress', 'assetAmount', 'orderIndex', 'depositId'],
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN', 'INDEX_CATCHING_UP', 'RPC_UNAVAILABLE'],
  // `depositId` depends on the organization.
  cache: 'private, no-cache',
})

/** Routes: what users did in vaults. */
export const activityRoutes: readonly Route[] = [listActivityRoute]
