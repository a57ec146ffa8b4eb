import {
  type Address,
  type Hash,
  type Hex,
  keccak256,
  type LocalAccount,
  type TransactionReceipt,
} from 'viem'
import { CausewayError } from '../error/causewayError.ts'
import type { CheckedTransaction } from './checkTransaction.ts'
import { accountOf, requireChain, type Wallets } from './wallets.ts'

export type Sent = { hash: Hash; receipt: TransactionReceipt }

const RECEIPT_MS = 180_000

/**
 * Simulates a transaction on the user's own node, sends it and waits until it is mined. Throws `SIMULATION_FAILED`
 * and `WRONG_CHAIN` before anything is sent, `TRANSACTION_REVERTED`, `TRANSACTION_PENDING`, and `TRANSACTION_REPLACED`
 * if the user sent another one instead. A transaction that only got a higher fee is the same one: `hash` is then that
 * of the mined one.
 */
export async function sendPrepared(
  wallets: Wallets,
  { chainId, to, data, value, gas }: CheckedTransaction,
): Promise<Sent> {
  const { publicClient, signal, onSent } = wallets
  const account = accountOf(wallets)
  // The API writes calldata as 0x and hex characters.
  const call = { to, value, ...(data ? { data: data as Hex } : {}), ...(gas ? { gas } : {}) }
  await publicClient.call({ account, ...call }).catch((cause: unknown) => {
    throw simulationError(cause)
  })
  // The user may have switched since: the same address is another contract on another chain.
  await requireChain(wallets, chainId)
  signal?.throwIfAborted()
  const hash = await submit(wallets, call)
  onSent?.({ hash, to })
  return untilMined(wallets, hash)
}

type Call = { to: Address; value: bigint; data?: Hex; gas?: bigint }

/**
 * Sends it. Where the account signs in this program, the hash is known before the node answers. So an answer that was
 * lost, or the refusal of a repetition, does not look like a failure.
 */
async function submit(wallets: Wallets, call: Call): Promise<Hash> {
  const { walletClient, publicClient } = wallets
  const account = accountOf(wallets)
  const request = { ...call, chain: null }
  if (typeof account === 'string' || account.type !== 'local')
    return walletClient.sendTransaction({ ...request, account })
  const signed: { hash: Hash | null } = { hash: null }
  const signTransaction: LocalAccount['signTransaction'] = async (...given) => {
    const transaction = await account.signTransaction(...given)
    // A local account returns hex.
    signed.hash = keccak256(transaction as Hex)
    return transaction
  }
  try {
    return await walletClient.sendTransaction({
      ...request,
      account: { ...account, signTransaction },
    })
  } catch (error) {
    const { hash } = signed
    if (hash && (await isKnown(publicClient, hash))) return hash
    throw error
  }
}

async function isKnown(publicClient: Wallets['publicClient'], hash: Hash): Promise<boolean> {
  try {
    await publicClient.getTransaction({ hash })
    return true
  } catch (error) {
    // By its name: an app may have two copies of viem.
    if (error instanceof Error && error.name === 'TransactionNotFoundError') return false
    throw pendingError(hash, error)
  }
}

async function untilMined(wallets: Wallets, sent: Hash): Promise<Sent> {
  const { publicClient, signal, receiptTimeoutMs = RECEIPT_MS } = wallets
  let replaced: CausewayError | null = null
  const mined = publicClient
    .waitForTransactionReceipt({
      hash: sent,
      timeout: receiptTimeoutMs,
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

function pendingError(hash: Hash, cause: unknown): CausewayError {
  return new CausewayError({
    reason: 'TRANSACTION_PENDING',
    metadata: { hash },
    message: `transaction ${hash} may be mined later: wait for it, and do not send again before`,
    cause,
  })
}
