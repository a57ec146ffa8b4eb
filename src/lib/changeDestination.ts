import { transitDestination } from 'ponder:schema'
import type { Hex } from 'viem'
import type { OrderLog } from '../tables/transit.ts'
import type { EventOrigin } from './origin.ts'
import type { Context } from './ponder.ts'

type Row = typeof transitDestination.$inferSelect

/** Changes an order on its destination by a log that leaves this much to pay, in base units of the want asset. */
export function changeDestination(
  { event, context }: { event: EventOrigin['event']; context: Context },
  orderId: Hex,
  remaining: bigint,
  change: (log: OrderLog, row: Row) => Partial<Row>,
): Promise<Row> {
  const { block, transaction } = event
  const log: OrderLog = {
    blockNumber: Number(block.number),
    blockHash: block.hash,
    timestamp: Number(block.timestamp),
    transactionHash: transaction.hash,
    logIndex: event.log.logIndex,
    remaining: String(remaining),
  }
  return context.db
    .update(transitDestination, { chainId: context.chain.id, orderId })
    .set((row) => ({
      ...change(log, row),
      remaining,
      lastBlockNumber: block.number,
      lastBlockTimestamp: block.timestamp,
    }))
}
