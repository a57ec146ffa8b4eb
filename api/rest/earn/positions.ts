import { listUserPositions } from '../../../domain/earn/positions/listUserPositions.ts'
import { usdPrices } from '../../../domain/earn/positions/valueInUsd.ts'
import { positionShares } from '../../../schema/earn/positions/positionShares.ts'
import { keepAnswers } from '../keepAnswers.ts'
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
    keep: keepAnswers({
      read: listUserPositions,
      tokensOf: ({ userPositions }) => positionShares(userPositions),
      markOf: (context, { userPositions }) =>
        usdPrices(
          context,
          userPositions.map(({ base }) => base),
        ),
      rootOf: (userPositions) => ({ userPositions }),
    }),
  }),
]
