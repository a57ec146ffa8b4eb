import { type Account, type Address, type Hash, type Hex, keccak256, type LocalAccount } from 'viem'
import { throwIfAborted } from '../connection/abort.ts'
import { CausewayError } from '../error/causewayError.ts'
import type { CheckedTransaction } from './checkTransaction.ts'
import type { Trace } from './findTransaction.ts'
import { pendingError, type Sent, untilMined } from './untilMined.ts'
import { accountOf, requireChain, type Wallets } from './wallets.ts'

/**
 * Simulates a transaction on the user's own node, sends it and waits until it is mined. Throws `SIMULATION_FAILED`
 * and `WRONG_CHAIN` before anything is sent, `TRANSACTION_REVERTED`, `TRANSACTION_PENDING`, and `TRANSACTION_REPLACED`
 * if the user sent another one instead. A transaction that only got a higher fee is the same one: `hash` is then that
 * of the mined one, and so it is for a wallet that gives another hash, as a Safe does.
 */
export async function sendPrepared(
  wallets: Wallets,
  { chainId, to, data, value, gas }: CheckedTransaction,
  trace: Trace = null,
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
  throwIfAborted(signal)
  const block = isLocal(account) ? null : await publicClient.getBlockNumber({ cacheTime: 0 })
  const hash = await submit(wallets, call)
  onSent?.({ hash, to })
  // An account that signs here sends what it signs, so its hash is that of the transaction.
  return untilMined(wallets, hash, block === null ? null : { to, trace, since: block + 1n })
}

function isLocal(account: Account | Address): account is LocalAccount {
  return typeof account !== 'string' && account.type === 'local'
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
  if (!isLocal(account)) return walletClient.sendTransaction({ ...request, account })
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
    if (!hash) throw error
    if (await isKnown(publicClient, hash)) return hash
    // The other node may only not know it yet.
    throw isRefused(error) ? error : pendingError(hash, error)
  }
}

/** The node's answer to a repetition of what it has. Nodes write it in different words. */
const HAS_IT = /already ?known|already imported|\bknown transaction/i
/** viem's code for what is no answer of a node. */
const NO_ANSWER = -1

/** Whether the node answered that it does not take the transaction. Else the request or its answer was lost, or no answer of JSON-RPC came. */
function isRefused(error: unknown): boolean {
  let hasAnswered = false
  for (let at = error; at instanceof Error; at = at.cause) {
    if (HAS_IT.test(at.message)) return false
    const { code } = at as { code?: unknown }
    // Only errors of JSON-RPC have a number.
    hasAnswered ||= typeof code === 'number' && code !== NO_ANSWER
  }
  return hasAnswered
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
