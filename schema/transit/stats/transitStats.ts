import { attempt } from '../../../domain/error/refuseTogether.ts'
import { DEFAULT_PAGE_SIZE } from '../../../domain/page/pageParameters.ts'
import { TRANSIT_ROUTE_FILTER_KEYS } from '../../../domain/transit/routes/listTransitRoutes.ts'
import { listTransitStats } from '../../../domain/transit/stats/listTransitStats.ts'
import {
  statsIntervalParam,
  statsQuery,
  statsViolations,
  type TransitStatsParams,
} from '../../../domain/transit/stats/statsQuery.ts'
import type { TransitStats, TransitStatsPage } from '../../../domain/transit/stats/transitStats.ts'
import { amountOf } from '../../amountOf.ts'
import { type CheckContext, checkedBy } from '../../argumentChecks.ts'
import { optional, required } from '../../arguments.ts'
import { builder } from '../../builder.ts'
import { queryField } from '../../declareRootField.ts'
import { pageCost } from '../../fieldCost.ts'
import { fieldsOf, nonNull, nullable } from '../../fieldsOf.ts'
import { filterArgument, pageArguments } from '../../listArguments.ts'
import { pageRef } from '../../page.ts'
import { withoutNulls } from '../../withoutNulls.ts'
import { orderAssets } from '../orders/orderAssets.ts'
import { RouteLatencyRef } from '../routes/routeLatency.ts'

const TransitStatsRef = builder.objectRef<TransitStats>('TransitStats').implement({
  description:
    'What happened on a route after `startTime` and up to `endTime`, each event counted at the time of its own block; and what is under way now.',
  fields: fieldsOf(() => ({
    sourceChainId: nonNull.int('The chain on which the orders were submitted.'),
    destinationChainId: nonNull.int('The chain on which the orders are paid.'),
    offerAsset: nonNull.address('The token on the source chain.'),
    wantAsset: nonNull.address('The token on the destination chain.'),
    startTime: nonNull.unixTime(
      'The start of the time, a full hour. Events in this second are not counted.',
    ),
    endTime: nonNull.unixTime(
      'The end of the time, a full hour. Events in this second are counted.',
    ),
    orderCount: nonNull.float('The number of orders that were submitted.'),
    offerVolume: nonNull.amount(
      'The offers of those orders, fees included, in base units of the offer asset.',
      { extensions: amountOf('offerAsset', 'sourceChainId') },
    ),
    deliveredVolume: nonNull.amount(
      'The amount that receivers were paid, in base units of the want asset.',
      { extensions: amountOf('wantAsset', 'destinationChainId') },
    ),
    protocolFees: nonNull.amount(
      'The protocol fees of the submitted orders, in base units of the offer asset.',
      { extensions: amountOf('offerAsset', 'sourceChainId') },
    ),
    removedCount: nonNull.float(
      'The number of orders that were removed, with the orders whose id was used on the destination before they arrived.',
    ),
    latency: nullable.of(
      RouteLatencyRef,
      'Percentiles over the newest 100 wholly executed of the orders that were submitted then. `heldP90` is over those that are among the last 500 of the route. Null without an executed one.',
    ),
    pendingCount: nonNull.float(
      'The number of orders of the route that are open now. The same in every row of the route.',
    ),
    pendingAmount: nonNull.amount(
      'The amount that receivers of the route are still owed now, in base units of the want asset. The same in every row of the route.',
      { extensions: amountOf('wantAsset', 'destinationChainId') },
    ),
  })),
})

const TransitStatsPageRef = pageRef<TransitStatsPage>('TransitStatsPage', {
  description: 'A page of stats, sorted by time, chains and tokens.',
  fields: {
    transitStats: nonNull.of(
      [TransitStatsRef],
      'The stats. A time in which nothing happened on a route has no row.',
    ),
  },
  tokens: {
    description: 'The tokens of the page.',
    of: ({ transitStats }) => orderAssets(transitStats),
  },
})

queryField('transitStats', {
  type: TransitStatsPageRef,
  complexity: pageCost('history'),
  description:
    'Sums of the orders of each route by time: counts, volumes, fees and latencies, and what is under way now.',
  args: {
    ...filterArgument(TRANSIT_ROUTE_FILTER_KEYS),
    startTime: required.unixTime(
      'The start of the time, in Unix seconds; taken as the full hour before. Events in that second are not counted.',
    ),
    endTime: required.unixTime(
      'The end of the time, in Unix seconds; taken as the full hour after. At most ten years after `startTime`.',
    ),
    interval: optional.int(
      'Seconds: full hours up to a day, or full days up to 365. One row for each multiple, cut at the two times. Without it there is one row for the whole time.',
      { extensions: { value: statsIntervalParam } },
    ),
    ...pageArguments(),
  },
  extensions: checkedBy(givenViolations),
  resolve: (_, args, context) => listTransitStats(context, withoutNulls(args)),
})

/** A page token can only be checked with all the parameters that it belongs to. */
function givenViolations(args: Partial<TransitStatsParams>, { context }: CheckContext) {
  const { startTime, endTime, ...others } = args
  if (startTime === undefined || endTime === undefined) return statsViolations(args)
  const params = { startTime, endTime, pageSize: DEFAULT_PAGE_SIZE, ...others }
  return attempt(() => statsQuery(context, params)).refusal?.fieldViolations ?? []
}
