import type { Hex } from 'viem'
import { getJourney, journeyOfCaller } from '../../../domain/journey/getJourney.ts'
import { fragmentOf } from '../fragmentOf.ts'
import { resourceWait, waitSeconds } from '../resourceWait.ts'
import { graphql, type Route, route } from '../route.ts'
import { SMART_DEPOSIT_OPTIONAL } from '../smartDeposits.ts'

const optional = [...SMART_DEPOSIT_OPTIONAL, 'amount', 'remaining', 'account']

const getJourneyRoute = route({
  method: 'GET',
  path: '/v2/earn/journeys/{id}',
  operationId: 'getJourney',
  field: 'journey',
  key: 'journey',
  restOnly: { waitSeconds },
  selection: graphql`{ ...Journey }`,
  fragments: fragmentOf('Journey'),
  optional,
  notFound: 'JOURNEY_NOT_FOUND',
  errors: ['NOT_YET_INDEXED', 'INDEX_CATCHING_UP', 'RPC_UNAVAILABLE'],
  cache: 'private, no-cache',
  wait: resourceWait({
    // The scalar `Hash` has already validated it.
    idOf: ({ id }) => id as Hex,
    read: getJourney,
    watch: ({ journeyWatch }) => journeyWatch,
    watchedId: journeyOfCaller,
    passing: ['JOURNEY_NOT_FOUND', 'NOT_YET_INDEXED'],
  }),
})

const listJourneysRoute = route({
  method: 'GET',
  path: '/v2/earn/journeys',
  operationId: 'listJourneys',
  field: 'journeys',
  selection: graphql`{
    journeys { ...Journey }
    nextPageToken
    tokenMetadata
  }`,
  fragments: fragmentOf('Journey'),
  optional,
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN', 'INDEX_CATCHING_UP'],
  cache: 'private, no-cache',
})

/** Deposits that begin on another chain or with another token. */
export const journeyRoutes: readonly Route[] = [getJourneyRoute, listJourneysRoute]
