import type { RouteLatency } from '../../../domain/transit/routes/latencyOf.ts'
import { builder } from '../../builder.ts'
import { fieldsOf, nonNull, nullable } from '../../fieldsOf.ts'

export const RouteLatencyRef = builder.objectRef<RouteLatency>('RouteLatency').implement({
  description:
    'The time from submission to full payment of the newest wholly executed orders of a route, at most 500.',
  fields: fieldsOf(() => ({
    p50Ms: nonNull.float('The median in milliseconds: half of the orders took at most this long.'),
    p90Ms: nonNull.float(
      'The 90th percentile in milliseconds: nine of ten orders took at most this long.',
    ),
    p99Ms: nonNull.float('The 99th percentile in milliseconds.'),
    sampleSize: nonNull.int('The number of orders that the percentiles are over.'),
    windowSeconds: nonNull.int(
      'Seconds from the submission of the oldest order of the sample to that of the newest.',
    ),
    heldP90: nullable.float(
      "The share, from 0 to 1, of the route's last 500 orders that were wholly paid within the 90th percentile at the time of their submission. An order that is still open counts once that time has passed. Null for fewer than five orders.",
    ),
  })),
})
