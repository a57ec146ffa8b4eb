import { BaseError, type PublicClient, type Transaction, type TransactionReceipt } from 'viem'
import { toWire } from '../../call/preparedCall.ts'
import { type Revert, revertOf } from '../../chain/revert.ts'
import type { TransactionRevert } from './sentTransaction.ts'
import { submitErrors } from './submitErrors.ts'

type Reverted = { transaction: Transaction; receipt: TransactionReceipt }

/**
 * Why a transaction reverted, by its call on the state of its block, or else of the block before: the state between
 * the two, at its own place in the block, cannot be asked for.
 */
export async function transactionRevert(
  client: PublicClient,
  { transaction, receipt }: Reverted,
): Promise<TransactionRevert> {
  if (receipt.gasUsed >= transaction.gas) return { reason: 'out of gas', name: null, arguments: [] }
  const { blockNumber } = receipt
  const found =
    (await replay(client, transaction, blockNumber)) ??
    (await replay(client, transaction, blockNumber - 1n))
  return found ? described(found) : { reason: 'unknown', name: null, arguments: [] }
}

/** Null if the call does not revert there, or the node no longer has that state. */
async function replay(
  client: PublicClient,
  { from, to, input, value, gas }: Transaction,
  blockNumber: bigint,
): Promise<Revert | null> {
  try {
    await client.call({ account: from, to, data: input, value, gas, blockNumber })
    return null
  } catch (error) {
    if (error instanceof BaseError) return revertOf(error, submitErrors)
    throw error
  }
}

function described({ errorName, args }: Revert): TransactionRevert {
  const item = submitErrors.find((part) => part.type === 'error' && part.name === errorName)
  const inputs = item && 'inputs' in item ? item.inputs : []
  const values = args.map((value, index) => toWire(inputs[index] ?? { type: 'string' }, value))
  // Data that no error of ours has.
  if (errorName === 'unknown') return { reason: 'unknown', name: null, arguments: values }
  const texts = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  const reason = errorName === 'Error' ? (texts[0] ?? '') : `${errorName}(${texts.join(', ')})`
  return { reason, name: errorName, arguments: values }
}
