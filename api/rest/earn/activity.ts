import { listActivity } from '../../../domain/earn/activity/listActivity.ts'
import { activityAssets } from '../../../schema/earn/activity/activityAssets.ts'
import { keepAnswers } from '../keepAnswers.ts'
import { graphql, type Route, route } from '../route.ts'

/** Routes: what users did in vaults. */
export const activityRoutes: readonly Route[] = [
  route({
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
    errors: ['INDEX_CATCHING_UP', 'RPC_UNAVAILABLE'],
    // `depositId` depends on the organization: the answer is private, as by default.
    keep: keepAnswers({
      read: listActivity,
      tokensOf: ({ activity }) => activityAssets(activity),
      rootOf: (activity) => ({ activity }),
    }),
  }),
]
