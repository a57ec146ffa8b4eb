import type { Hex } from 'viem'
import type { CallArgument } from '../../call/preparedCall.ts'

export type SentTransactionStatus = 'PENDING' | 'INCLUDED' | 'REVERTED' | 'UNKNOWN'

/** Why a transaction reverted. */
export type TransactionRevert = {
  /** In words: the contract's text, `Name(argument, …)`, `out of gas`, or `unknown`. */
  reason: string
  /** The name of the error, `Error` of a text; null where it is none that we know. */
  name: string | null
  arguments: CallArgument[]
}

/** A transaction that may submit orders, as a node knows it now. */
export type SentTransaction = {
  chainId: number
  txHash: Hex
  status: SentTransactionStatus
  /** Null while no block has it. */
  blockNumber: bigint | null
  /** The blocks from its own to the newest, both counted; 0 while no block has it. */
  confirmations: number
  /** The orders that it submitted to the chain's station, in the order of its logs. */
  orderIds: Hex[]
  /** Null unless it is REVERTED. */
  revert: TransactionRevert | null
}
