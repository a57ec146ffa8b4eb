import type { Hex } from 'viem'
import { ServiceError } from '../../domain/error/serviceError.ts'
import type { Transfer } from '../../domain/smartDeposit/readTransfers.ts'
import { blockOfReceipt, isTransferLog, readTransactionReceipt } from './chainReads.ts'
import { orderBehind } from './executions.ts'
import type { Keeper } from './keeper.ts'

/** A transfer with its position among the logs of its transaction. */
export type PlacedTransfer = Transfer & {
  logPosition: number
  /** The Transit order that it paid; null if it paid none. */
  orderId: Hex | null
}

/** A transfer whose position no node shows now, and why. */
export type UnplacedTransfer = Transfer & { error: string }

export type Placing = { placed: PlacedTransfer[]; unplaced: UnplacedTransfer[] }

/**
 * Anybody can send many worthless transfers, each in its own transaction: one after the other they would take minutes. Of
 * the largest transaction receipts, more at once would use up the memory.
 */
export const RECEIPTS_AT_ONCE = 16

/**
 * Adds the position of each log in its transaction, which a reorganization does not change. All transfers of a transaction
 * are placed, or none.
 */
export async function placeTransfers(
  keeper: Keeper,
  transfers: readonly Transfer[],
): Promise<Placing> {
  const placing: Placing = { placed: [], unplaced: [] }
  const inBlocks = Map.groupBy(
    transfers,
    ({ transactionHash, block }) => transactionHash + block.hash,
  )
  const groups = [...inBlocks.values()]
  for (let start = 0; start < groups.length; start += RECEIPTS_AT_ONCE) {
    const some = groups.slice(start, start + RECEIPTS_AT_ONCE)
    const ofSome = await Promise.all(some.map((group) => placeInTransaction(keeper, group)))
    // A transaction can have more transfers than a call has arguments.
    for (const { placed, unplaced } of ofSome) {
      for (const transfer of placed) placing.placed.push(transfer)
      for (const transfer of unplaced) placing.unplaced.push(transfer)
    }
  }
  return placing
}

/** Transfers of one transaction, as the logs of its block showed them. */
async function placeInTransaction(
  keeper: Keeper,
  transfers: readonly Transfer[],
): Promise<Placing> {
  const notNow = (error: string): Placing => ({
    placed: [],
    unplaced: transfers.map((transfer) => ({ ...transfer, error })),
  })
  const [first] = transfers
  if (!first) return { placed: [], unplaced: [] }
  const receipt = await readReceipt(keeper, first.transactionHash)
  if (receipt === 'unanswered') return notNow('no node answers for its receipt')
  if (receipt === null) return notNow('no node has its receipt')
  if (blockOfReceipt(receipt).hash !== first.block.hash)
    return notNow('its receipt is of another block')
  // A map, because a hostile transaction can have thousands of logs.
  const positions = new Map(receipt.logs.map(({ logIndex }, position) => [logIndex, position]))
  const placed: PlacedTransfer[] = []
  for (const transfer of transfers) {
    const logPosition = positions.get(transfer.logIndex)
    // A wrong position would make one payment two.
    if (logPosition === undefined || !isTransferLog(receipt.logs[logPosition], transfer))
      return notNow('its receipt has other logs')
    const { to, amount } = transfer
    const orderId = orderBehind(receipt.logs, keeper, { to, amount, logPosition })
    placed.push({ ...transfer, logPosition, orderId })
  }
  return { placed, unplaced: [] }
}

/** The receipt of one transaction may be what no node can answer: it holds up no other. */
async function readReceipt(keeper: Keeper, hash: Hex) {
  try {
    return await readTransactionReceipt(keeper, hash)
  } catch (error) {
    if (error instanceof ServiceError && error.reason === 'RPC_UNAVAILABLE') return 'unanswered'
    throw error
  }
}
