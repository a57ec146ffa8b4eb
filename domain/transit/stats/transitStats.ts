import type { Address } from 'viem'
import type { RouteLatency } from '../routes/latencyOf.ts'

/**
 * What happened on a route after `startTime` and up to `endTime` (Unix seconds, whole hours), each event counted at its own
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
  /** Of the submitted orders, in offer base units. */
  offerVolume: bigint
  protocolFees: bigint
  /** Paid to receivers, in want base units. */
  deliveredVolume: bigint
  removedCount: number
  /** Of the orders that were submitted then. */
  latency: RouteLatency | null
  /** Now, whatever the time of the row. */
  pendingCount: number
  /** Still owed to receivers now, in want base units. */
  pendingAmount: bigint
}

export type TransitStatsPage = { transitStats: TransitStats[]; nextPageToken: string | null }
