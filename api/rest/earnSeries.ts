import { z } from 'zod'
import type { RequestContext } from '../../domain/context.ts'
import { userPositionQuery } from '../../domain/earn/positions/listUserPositions.ts'
import { vaultApyQuery } from '../../domain/earn/series/listVaultApys.ts'
import { vaultTvlQuery } from '../../domain/earn/series/listVaultTvls.ts'
import {
  apyWindowParam,
  intervalParam,
  lookbackParam,
  orderByTimestampParam,
} from '../../domain/earn/series/seriesParameters.ts'
import { DEPLOYMENT_FILTER_KEYS } from '../../domain/earn/vaults/deploymentFilter.ts'
import { attempt } from '../../domain/error/refuseTogether.ts'
import { listParameters, listRefusals } from './listRoute.ts'
import { addressParam, flagParam, unixTimeParam } from './params.ts'
import { graphql, type Route, route } from './route.ts'

const seriesParameters = {
  ...listParameters(DEPLOYMENT_FILTER_KEYS),
  startTime: unixTimeParam.optional().describe('Rows are after it; with `endTime`.'),
  endTime: unixTimeParam.optional().describe('Rows are up to it; with `startTime`.'),
  lookback: lookbackParam,
  interval: intervalParam,
  orderByTimestamp: orderByTimestampParam,
}

const apyParams = z.object({ ...seriesParameters, apyWindow: apyWindowParam })
const tvlParams = z.object({
  ...seriesParameters,
  includeCurrent: flagParam
    .prefault('true')
    .describe('Whether each vault has a row of what its chain says now, the newest of its rows.'),
})

/** What a series refuses of the parameters that parse, the others being as if they were not given. */
function refusals<Params>(
  all: z.ZodType<Params>,
  check: (context: RequestContext, params: Params) => unknown,
): NonNullable<Route['refusals']> {
  return (context, _, parsed) =>
    attempt(() => check(context, { ...all.parse({}), ...parsed })).refusal?.fieldViolations ?? []
}

const listVaultApysRoute = route({
  method: 'GET',
  path: '/v2/earn/vaultApys',
  operationId: 'listVaultApys',
  summary: 'How fast every vault grew, over time',
  params: apyParams,
  refusals: refusals(apyParams, vaultApyQuery),
  document: graphql`
    query listVaultApys(
      $filter: String, $startTime: UnixTime, $endTime: UnixTime, $lookback: Int!, $interval: Int!,
      $apyWindow: Int!, $orderByTimestamp: TimeOrder!, $pageSize: Int!, $pageToken: String
    ) {
      body: vaultApys(
        filter: $filter, startTime: $startTime, endTime: $endTime, lookback: $lookback,
        interval: $interval, apyWindow: $apyWindow, orderByTimestamp: $orderByTimestamp,
        pageSize: $pageSize, pageToken: $pageToken
      ) {
        vaultApys { vaultAddress chainId timestamp interval apy }
        nextPageToken
      }
    }
  `,
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN', 'INDEX_CATCHING_UP'],
  cache: 10,
})

const listVaultTvlsRoute = route({
  method: 'GET',
  path: '/v2/earn/vaultTvls',
  operationId: 'listVaultTvls',
  summary: 'What every vault was worth, over time, and is now',
  params: tvlParams,
  refusals: refusals(tvlParams, vaultTvlQuery),
  document: graphql`
    query listVaultTvls(
      $filter: String, $startTime: UnixTime, $endTime: UnixTime, $lookback: Int!, $interval: Int!,
      $includeCurrent: Boolean!, $orderByTimestamp: TimeOrder!, $pageSize: Int!, $pageToken: String
    ) {
      body: vaultTvls(
        filter: $filter, startTime: $startTime, endTime: $endTime, lookback: $lookback,
        interval: $interval, includeCurrent: $includeCurrent, orderByTimestamp: $orderByTimestamp,
        pageSize: $pageSize, pageToken: $pageToken
      ) {
        vaultTvls { vaultAddress chainId timestamp interval tvl tvlAsset }
        nextPageToken
      }
    }
  `,
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN', 'INDEX_CATCHING_UP'],
  cache: 10,
})

const listUserPositionsRoute = route({
  method: 'GET',
  path: '/v2/earn/userPositions',
  operationId: 'listUserPositions',
  summary: 'What a user has of every vault',
  params: z.object({
    userAddress: addressParam.describe('Whose shares.'),
    ...listParameters(DEPLOYMENT_FILTER_KEYS),
  }),
  refusals: listRefusals((context, { userAddress, ...list }) =>
    userPositionQuery(context, { ...list, userAddress: String(userAddress) }),
  ),
  document: graphql`
    query listUserPositions(
      $userAddress: Address!, $filter: String, $pageSize: Int!, $pageToken: String
    ) {
      body: userPositions(
        userAddress: $userAddress, filter: $filter, pageSize: $pageSize, pageToken: $pageToken
      ) {
        userPositions {
          vaultAddress chainId shareBalance positionValueInBase baseAssetAddress exchangeRateToBase
        }
        nextPageToken
        tokenMetadata
      }
    }
  `,
  errors: ['INVALID_FILTER', 'INVALID_PAGE_TOKEN', 'INDEX_CATCHING_UP'],
  cache: 'no-cache',
})

/** What vaults, and what users have of them, are worth. */
export const earnSeriesRoutes: readonly Route[] = [
  listVaultApysRoute,
  listVaultTvlsRoute,
  listUserPositionsRoute,
]
