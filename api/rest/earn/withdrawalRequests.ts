import { expectedAssetsMark } from '../../../domain/earn/withdrawals/expectedAssets.ts'
import { getWithdrawalRequest } from '../../../domain/earn/withdrawals/getWithdrawalRequest.ts'
import { listWithdrawalRequests } from '../../../domain/earn/withdrawals/listWithdrawalRequests.ts'
import type { WithdrawalId } from '../../../domain/earn/withdrawals/withdrawalRequest.ts'
import { requestAssets } from '../../../schema/earn/withdrawals/requestAssets.ts'
import { keepAnswers } from '../keepAnswers.ts'
import { resourceWait, waitSeconds } from '../resourceWait.ts'
import { graphql, type Route, route } from '../route.ts'

/** Of `blockedBy`: the reason decides which of them is there. */
const optional = ['requestId', 'account']

/** Withdrawal requests and sums of them. */
export const withdrawalRequestRoutes: readonly Route[] = [
  route({
    path: '/v2/earn/withdrawalRequests/{id}',
    operationId: 'getWithdrawalRequest',
    field: 'withdrawalRequest',
    key: 'withdrawalRequest',
    restOnly: { waitSeconds },
    selection: graphql`{ ...WithdrawalRequest }`,
    optional,
    notFound: 'WITHDRAWAL_REQUEST_NOT_FOUND',
    errors: ['INDEX_CATCHING_UP'],
    cache: 'no-cache',
    wait: resourceWait({
      idOf: ({ id }: { id: WithdrawalId }) => id,
      read: getWithdrawalRequest,
      watch: ({ withdrawalRequestWatch }) => withdrawalRequestWatch,
      watchedId: (_, id) => id,
      passing: ['WITHDRAWAL_REQUEST_NOT_FOUND'],
    }),
  }),
  route({
    path: '/v2/earn/withdrawalRequests',
    operationId: 'listWithdrawalRequests',
    field: 'withdrawalRequests',
    selection: graphql`{
      withdrawalRequests { ...WithdrawalRequest }
      nextPageToken
      tokenMetadata
    }`,
    optional,
    errors: ['INDEX_CATCHING_UP'],
    cache: 'no-cache',
    keep: keepAnswers({
      read: listWithdrawalRequests,
      tokensOf: ({ withdrawalRequests }) => requestAssets(withdrawalRequests),
      markOf: (context, { withdrawalRequests }) => expectedAssetsMark(context, withdrawalRequests),
      rootOf: (withdrawalRequests) => ({ withdrawalRequests }),
    }),
  }),
  route({
    path: '/v2/earn/withdrawalVolumes',
    operationId: 'listWithdrawalVolumes',
    field: 'withdrawalVolumes',
    selection: graphql`{
      withdrawalVolumes {
        vaultAddress chainId assetAddress startTime endTime orderCount shareAmount assetAmount
      }
      nextPageToken
      tokenMetadata
    }`,
    errors: ['CHAIN_NOT_FOUND', 'VAULT_NOT_FOUND', 'INDEX_CATCHING_UP'],
    cache: 10,
  }),
  route({
    path: '/v2/earn/liquidityShortfalls',
    operationId: 'listLiquidityShortfalls',
    field: 'liquidityShortfalls',
    selection: graphql`{
      liquidityShortfalls {
        vaultAddress chainId assetAddress pendingOrderCount pendingShares pendingAssets
        vaultBalance shortfall blockedBy { reason requestId } stale asOf
      }
      nextPageToken
      tokenMetadata
    }`,
    errors: ['INDEX_CATCHING_UP', 'RPC_UNAVAILABLE'],
    cache: 10,
    isShared: true,
  }),
]
