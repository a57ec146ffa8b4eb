import type { Address, Hash, Hex, TransactionReceipt } from 'viem'
import { CausewayError } from '../error/causewayError.ts'
import { accountOf, type Wallets } from './wallets.ts'

/** A transaction as the API prepares it. */
export type Prepared = {
  to: Address
  data?: string
  value: bigint
  /** Default: the wallet's own estimate. */
  gas?: bigint | null
}

export type Sent = { hash: Hash; receipt: TransactionReceipt }

/**
 * Simulates a transaction on the user's own node, sends it and waits until it is mined. Throws `SIMULATION_FAILED`
 * before anything is sent, `TRANSACTION_REVERTED`, and `TRANSACTION_REPLACED` if the user sent another one instead. A
 * transaction that only got a higher fee is the same one: `hash` is then that of the mined one.
 */
export async function sendPrepared(
  wallets: Wallets,
  { to, data, value, gas }: Prepared,
): Promise<Sent> {
  const { walletClient, publicClient, signal } = wallets
  const account = accountOf(wallets)
  // The API writes calldata as 0x and hex characters.
  const call = { account, to, value, ...(data ? { data: data as Hex } : {}) }
  await publicClient.call(call).catch((cause: unknown) => {
    throw simulationError(cause)
  })
  signal?.throwIfAborted()
  const sent = await walletClient.sendTransaction({ ...call, chain: null, ...(gas ? { gas } : {}) })
  return untilMined(wallets, sent)
}

async function untilMined({ publicClient, signal }: Wallets, sent: Hash): Promise<Sent> {
  let replaced: CausewayError | null = null
  const mined = publicClient.waitForTransactionReceipt({
    hash: sent,
    onReplaced: ({ reason, transaction }) => {
      if (reason !== 'repriced') replaced = replacementError(sent, transaction.hash)
    },
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
    end = () => reject(signal.reason)
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

function simulationError(cause: unknown): CausewayError {
  const { shortMessage, message } = cause as { shortMessage?: string; message?: string }
  const error = shortMessage ?? message ?? String(cause)
  return new CausewayError({
    reason: 'SIMULATION_FAILED',
    metadata: { error },
    message: `the transaction would fail: ${error}`,
    cause,
  })
}

function replacementError(hash: Hash, replacement: Hash): CausewayError {
  return new CausewayError({
    reason: 'TRANSACTION_REPLACED',
    metadata: { hash, replacement },
    message: `transaction ${replacement} was mined instead of ${hash}`,
  })
}
