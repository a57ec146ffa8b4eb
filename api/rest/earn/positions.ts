import {
  listUserPositions,
  type UserPositionPage,
  type UserPositionParams,
} from '../../../domain/earn/positions/listUserPositions.ts'
import { usdPrices } from '../../../domain/earn/positions/valueInUsd.ts'
import { positionShares } from '../../../schema/earn/positions/positionShares.ts'
import { areKnown, keepAnswers } from '../keepAnswers.ts'
import { graphql, type Route, route } from '../route.ts'

/** Routes: the shares of users. */
export const positionRoutes: readonly Route[] = [
  route({
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
    errors: ['INDEX_CATCHING_UP', 'RPC_UNAVAILABLE'],
    cache: 'no-cache',
    keep: keepAnswers<UserPositionPage>({
      // Cast, because the values are those of the route's own parameters.
      read: (context, args) => listUserPositions(context, args as UserPositionParams),
      markOf: async (context, { userPositions }) =>
        areKnown(context, positionShares(userPositions))
          ? usdPrices(
              context,
              userPositions.map(({ base }) => base),
            )
          : null,
      rootOf: (userPositions) => ({ userPositions }),
    }),
  }),
]
