import type { Address } from 'viem'
import type { RouteLatency } from '../routes/latencyOf.ts'

/**
 * The events of a route after `startTime` and up to `endTime` (Unix seconds, whole hours), each event counted at its own
 * block's time. Addresses are lower case.
 */
export type TransitStats = {
  sourceChainId: number
  destinationChainId: number
  offerAsset: Address
  wantAsset: Address
  startTime: number
  endTime: number
  /** Submitted orders. */
  orderCount: number
  /** The sum over the submitted orders, in offer base units, like `protocolFees`. */
  offerVolume: bigint
  protocolFees: bigint
  /** Paid to receivers, in want base units. */
  deliveredVolume: bigint
  removedCount: number
  /** The latency of the orders that were submitted then. */
  latency: RouteLatency | null
  /** Now, whatever the time of the row. */
  pendingCount: number
  /** Still owed to receivers now, in want base units. */
  pendingAmount: bigint
}

export type TransitStatsPage = { transitStats: TransitStats[]; nextPageToken: string | null }
