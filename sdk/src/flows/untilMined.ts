import type { Hash, TransactionReceipt } from 'viem'
import { reasonOf } from '../connection/abort.ts'
import { CausewayError } from '../error/causewayError.ts'
import { findTransaction, type Search } from './findTransaction.ts'
import type { Wallets } from './wallets.ts'

export type Sent = { hash: Hash; receipt: TransactionReceipt }

const RECEIPT_MS = 180_000
const MOMENT_MS = 1_000

/**
 * Waits for the transaction that a wallet has sent. `search` finds it where the wallet may have given another hash than that
 * of the transaction. Throws as `sendPrepared` does.
 */
export async function untilMined(
  wallets: Wallets,
  given: Hash,
  search: Search | null,
): Promise<Sent> {
  const { publicClient, signal, receiptTimeoutMs = RECEIPT_MS } = wallets
  const latest = Date.now() + receiptTimeoutMs
  const sent = search ? await findTransaction(wallets, given, { ...search, latest }) : given
  let replaced: CausewayError | null = null
  const mined = publicClient
    .waitForTransactionReceipt({
      hash: sent,
      // At least a moment for the receipt of what was found late.
      timeout: Math.max(latest - Date.now(), MOMENT_MS),
      onReplaced: ({ reason, transaction }) => {
        if (reason !== 'repriced') replaced = replacementError(sent, transaction.hash)
      },
    })
    .catch((cause: unknown) => {
      throw pendingError(sent, cause)
    })
  const receipt = await unlessAborted(mined, signal)
  if (replaced) throw replaced
  const { status, transactionHash: hash } = receipt
  if (status === 'success') return { hash, receipt }
  throw new CausewayError({
    reason: 'TRANSACTION_REVERTED',
    metadata: { hash },
    message: `transaction ${hash} reverted: nothing was taken but gas`,
  })
}

/** A transaction that was sent cannot be taken back: an abort ends only the wait. */
async function unlessAborted<T>(waiting: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return waiting
  let end = () => {}
  const aborted = new Promise<never>((_, reject) => {
    end = () => reject(reasonOf(signal))
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { once: true })
  })
  try {
    return await Promise.race([waiting, aborted])
  } finally {
    signal.removeEventListener('abort', end)
    // After an abort nobody waits for it any more: a late failure would end the process.
    waiting.catch(() => {})
  }
}

function replacementError(hash: Hash, replacement: Hash): CausewayError {
  return new CausewayError({
    reason: 'TRANSACTION_REPLACED',
    metadata: { hash, replacement },
    message: `transaction ${replacement} was mined instead of ${hash}`,
  })
}

/** It may have been sent. */
export function pendingError(hash: Hash, cause: unknown): CausewayError {
  return new CausewayError({
    reason: 'TRANSACTION_PENDING',
    metadata: { hash },
    message: `transaction ${hash} may be mined later: wait for it, and do not send again before`,
    cause,
  })
}
