import { z } from 'zod'
import { volumeIntervalParam } from '../../domain/earn/series/seriesParameters.ts'
import { DEPLOYMENT_FILTER_KEYS } from '../../domain/earn/vaults/deploymentFilter.ts'
import { liquidityShortfallQuery } from '../../domain/earn/withdrawals/listLiquidityShortfalls.ts'
import {
  withdrawalVolumeQuery,
  withdrawalVolumeViolations,
} from '../../domain/earn/withdrawals/listWithdrawalVolumes.ts'
import {
  WITHDRAWAL_FILTER_KEYS,
  withdrawalListQuery,
} from '../../domain/earn/withdrawals/withdrawalListQuery.ts'
import { attempt } from '../../domain/error/refuseTogether.ts'
import { DEFAULT_PAGE_SIZE, pageParameters } from '../../domain/page/pageParameters.ts'
import { listParameters, listRefusals } from './listRoute.ts'
import { addressParam, chainIdParam, unixTimeParam } from './params.ts'
import { graphql, type Route, route } from './route.ts'

const listWithdrawalRequestsRoute = route({
  method: 'GET',
  path: '/v2/earn/withdrawalRequests',
  operationId: 'listWithdrawalRequests',
  summary: 'The orders of the withdraw queues, newest first',
  params: z.object(listParameters(WITHDRAWAL_FILTER_KEYS)),
  refusals: listRefusals(withdrawalListQuery),
  document: graphql`
    query listWithdrawalRequests($filter: String, $pageSize: Int!, $pageToken: String) {
      body: withdrawalRequests(filter: $filter, pageSize: $pageSize, pageToken: $pageToken) {
        withdrawalRequests {
          id orderIndex status userAddress receiverAddress refundReceiverAddress vaultAddress chainId
          wantAsset wantAssetAddress offerAmount orderAmount assetsOut feeAmount createdAt
          fulfilledAt updatedAt txHash isSubmittedViaSignature isForceProcessed isMarkedForRefund
          isMarkedForRefundByUser didOrderFailTransfer didOrderFailRefund queuePosition sharesAhead
        }
        nextPageToken
      }
    }
  `,
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN', 'INDEX_CATCHING_UP'],
  cache: 'no-cache',
})

const listWithdrawalVolumesRoute = route({
  method: 'GET',
  path: '/v2/earn/withdrawalVolumes',
  operationId: 'listWithdrawalVolumes',
  summary: 'What was withdrawn from a vault, by time, chain and asset',
  params: z.object({
    vaultAddress: addressParam.describe('The `boringVaultAddress` of the deployments.'),
    startTime: unixTimeParam.describe('What was paid at this very second is not counted.'),
    endTime: unixTimeParam.describe('What was paid at this very second is.'),
    chainId: chainIdParam.optional().describe('On this chain only.'),
    interval: volumeIntervalParam,
    ...pageParameters,
  }),
  refusals: (context, _, parsed) => {
    const { vaultAddress, startTime, endTime, ...rest } = parsed
    // What a page token belongs to is known only with all of them.
    if (vaultAddress === undefined || startTime === undefined || endTime === undefined)
      return withdrawalVolumeViolations(parsed)
    const params = { vaultAddress, startTime, endTime, ...rest, pageSize: DEFAULT_PAGE_SIZE }
    return attempt(() => withdrawalVolumeQuery(context, params)).refusal?.fieldViolations ?? []
  },
  document: graphql`
    query listWithdrawalVolumes(
      $vaultAddress: Address!, $startTime: UnixTime!, $endTime: UnixTime!, $chainId: Int,
      $interval: Int, $pageSize: Int!, $pageToken: String
    ) {
      body: withdrawalVolumes(
        vaultAddress: $vaultAddress, startTime: $startTime, endTime: $endTime, chainId: $chainId,
        interval: $interval, pageSize: $pageSize, pageToken: $pageToken
      ) {
        withdrawalVolumes {
          vaultAddress chainId assetAddress startTime endTime orderCount shareAmount assetAmount
        }
        nextPageToken
      }
    }
  `,
  errors: ['INVALID_PAGE_TOKEN', 'VAULT_NOT_FOUND', 'INDEX_CATCHING_UP'],
  cache: 10,
})

const listLiquidityShortfallsRoute = route({
  method: 'GET',
  path: '/v2/earn/liquidityShortfalls',
  operationId: 'listLiquidityShortfalls',
  summary: 'Where the orders that wait ask for more than the vault has',
  params: z.object(listParameters(DEPLOYMENT_FILTER_KEYS)),
  refusals: listRefusals(liquidityShortfallQuery),
  document: graphql`
    query listLiquidityShortfalls($filter: String, $pageSize: Int!, $pageToken: String) {
      body: liquidityShortfalls(filter: $filter, pageSize: $pageSize, pageToken: $pageToken) {
        liquidityShortfalls {
          vaultAddress chainId assetAddress pendingOrderCount pendingShares pendingAssets
          vaultBalance shortfall
        }
        nextPageToken
      }
    }
  `,
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN', 'INDEX_CATCHING_UP', 'RPC_UNAVAILABLE'],
  cache: 10,
  isShared: true,
})

/** What becomes of withdrawals. */
export const withdrawalRoutes: readonly Route[] = [
  listWithdrawalRequestsRoute,
  listWithdrawalVolumesRoute,
  listLiquidityShortfallsRoute,
]
