import type { Hex } from 'viem'
import type { AppContext } from '../../../domain/appContext.ts'
import { getJourney, journeyOfCaller } from '../../../domain/journey/getJourney.ts'
import type { Journey } from '../../../domain/journey/journey.ts'
import { journeyExpectedBy, journeyExpectedShares } from '../../../domain/journey/journeyOutlook.ts'
import { listJourneys } from '../../../domain/journey/listJourneys.ts'
import { orderOutlook } from '../../../domain/transit/orders/orderOutlook.ts'
import { journeyAssets } from '../../../schema/journey/journeyAssets.ts'
import { keepAnswers } from '../keepAnswers.ts'
import { resourceWait, waitSeconds } from '../resourceWait.ts'
import { graphql, type Route, route } from '../route.ts'
import { SMART_DEPOSIT_OPTIONAL } from '../smartDeposits.ts'
import { DEPOSIT_ERRORS } from './deposits.ts'

const optional = [...SMART_DEPOSIT_OPTIONAL, 'amount', 'remaining', 'account']

/** An answer depends on its orders and on this. */
function markOf(context: AppContext, journeys: Journey[]): Promise<object> {
  return Promise.all(
    journeys.map((journey) =>
      Promise.all([
        orderOutlook(context, journey.order),
        journeyExpectedBy(context, journey),
        journeyExpectedShares(context, journey),
        journey.end,
        journey.smartDeposits,
      ]),
    ),
  )
}

/** Deposits that begin on another chain or with another token. */
export const journeyRoutes: readonly Route[] = [
  route({
    path: '/v2/earn/journeys/quote',
    operationId: 'getJourneyQuote',
    field: 'journeyQuote',
    selection: graphql`{
      offerAmount
      amountOut
      fees { transit { amount asset } vault { amount asset } }
      expectedShares
      minimumShares
      exchangeRateToBase
      expectedBy
      destinationPaused
    }`,
    errors: DEPOSIT_ERRORS,
    limitClass: 'prepare',
  }),
  route({
    path: '/v2/earn/journeys/{id}',
    operationId: 'getJourney',
    field: 'journey',
    key: 'journey',
    restOnly: { waitSeconds },
    selection: graphql`{ ...Journey }`,
    optional,
    notFound: 'JOURNEY_NOT_FOUND',
    errors: ['NOT_YET_INDEXED', 'INDEX_CATCHING_UP', 'RPC_UNAVAILABLE'],
    keep: keepAnswers({
      read: (context, { id }: { id: Hex }) => getJourney(context, id),
      keyOf: ({ order }) => order,
      tokensOf: (journey) => journeyAssets([journey]),
      markOf: (context, journey) => markOf(context, [journey]),
      rootOf: (journey) => ({ journey }),
    }),
    wait: resourceWait({
      idOf: ({ id }: { id: Hex }) => id,
      read: getJourney,
      watch: ({ journeyWatch }) => journeyWatch,
      watchedId: journeyOfCaller,
      passing: ['JOURNEY_NOT_FOUND', 'NOT_YET_INDEXED'],
    }),
  }),
  route({
    path: '/v2/earn/journeys',
    operationId: 'listJourneys',
    field: 'journeys',
    selection: graphql`{
      journeys { ...Journey }
      nextPageToken
      tokenMetadata
    }`,
    optional,
    errors: ['INDEX_CATCHING_UP', 'RPC_UNAVAILABLE'],
    keep: keepAnswers({
      read: listJourneys,
      keyOf: ({ orders }) => orders,
      tokensOf: ({ journeys }) => journeyAssets(journeys),
      markOf: async (context, { journeys, nextPageToken }) => [
        await markOf(context, journeys),
        nextPageToken,
      ],
      rootOf: (journeys) => ({ journeys }),
    }),
  }),
]
