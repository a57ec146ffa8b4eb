import type { Hex } from 'viem'

export type EventOrigin = {
  event: {
    block: { number: bigint; hash: Hex; timestamp: bigint }
    transaction: { hash: Hex }
    log: { logIndex: number }
  }
  context: { chain: { id: number } }
}

/** The columns of the log that a fact was written from. */
export function origin({ event, context }: EventOrigin) {
  return {
    chainId: context.chain.id,
    blockNumber: event.block.number,
    blockHash: event.block.hash,
    blockTimestamp: event.block.timestamp,
    transactionHash: event.transaction.hash,
    logIndex: event.log.logIndex,
  }
}
