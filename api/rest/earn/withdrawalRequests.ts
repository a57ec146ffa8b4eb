import { graphql, type Route, route } from '../route.ts'

const listWithdrawalRequestsRoute = route({
  method: 'GET',
  path: '/v2/earn/withdrawalRequests',
  operationId: 'listWithdrawalRequests',
  field: 'withdrawalRequests',
  selection: graphql`{
    withdrawalRequests {
      id orderIndex status userAddress receiverAddress refundReceiverAddress vaultAddress chainId
      wantAsset wantAssetAddress offerAmount orderAmount assetsOut feeAmount createdAt
      fulfilledAt updatedAt txHash isSubmittedViaSignature isForceProcessed isMarkedForRefund
      isMarkedForRefundByUser didOrderFailTransfer didOrderFailRefund queuePosition sharesAhead
    }
    nextPageToken
  }`,
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN', 'INDEX_CATCHING_UP'],
  cache: 'no-cache',
})

const listWithdrawalVolumesRoute = route({
  method: 'GET',
  path: '/v2/earn/withdrawalVolumes',
  operationId: 'listWithdrawalVolumes',
  field: 'withdrawalVolumes',
  selection: graphql`{
    withdrawalVolumes {
      vaultAddress chainId assetAddress startTime endTime orderCount shareAmount assetAmount
    }
    nextPageToken
  }`,
  errors: ['INVALID_PAGE_TOKEN', 'CHAIN_NOT_FOUND', 'VAULT_NOT_FOUND', 'INDEX_CATCHING_UP'],
  cache: 10,
})

const listLiquidityShortfallsRoute = route({
  method: 'GET',
  path: '/v2/earn/liquidityShortfalls',
  operationId: 'listLiquidityShortfalls',
  field: 'liquidityShortfalls',
  selection: graphql`{
    liquidityShortfalls {
      vaultAddress chainId assetAddress pendingOrderCount pendingShares pendingAssets
      vaultBalance shortfall stale asOf
    }
    nextPageToken
  }`,
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN', 'INDEX_CATCHING_UP', 'RPC_UNAVAILABLE'],
  cache: 10,
  isShared: true,
})

/** Withdrawal requests and sums of them. */
export const withdrawalRequestRoutes: readonly Route[] = [
  listWithdrawalRequestsRoute,
  listWithdrawalVolumesRoute,
  listLiquidityShortfallsRoute,
]
