import type { Hash } from 'viem'
import type { components } from '../generated/api.ts'

type ApiInfo = components['schemas']['ErrorInfo']

/** The metadata of each reason that the API answers. */
type ApiMetadata = { [Info in ApiInfo as Info['reason']]: Info['metadata'] }

/** The metadata of each reason that the client finds itself. */
type ClientMetadata = {
  /** No answer came: the name, the connection or TLS failed. `cause` has the failure. */
  CONNECTION_FAILED: Record<never, never>
  /** No whole answer came in time. */
  TIMED_OUT: { timeoutMs: number }
  /** The answer is not one of the API: a proxy answered, or the server is of another version. */
  UNREADABLE_ANSWER: Record<never, never>
  /** The platform has not what the call needs: `fetch`, or `crypto` for the key of a change without `idempotencyKey`. */
  PLATFORM_LACKS: { missing: string }
  /** A value was refused before anything was sent. */
  INVALID_INPUT: { field: string }
  /** The wallet is connected to another chain. Let it switch, then try again. */
  WRONG_CHAIN: { expected: number; actual: number }
  /** The wallet is not the account that the quote names as its payer. */
  WRONG_ACCOUNT: { expected: string; actual: string }
  /** The token accepts neither a permit nor an approval of this account now. */
  NOT_AUTHORIZABLE: { token: string }
  /** The terms are worse than those of the given quote by more than `maxSlippageBps`. */
  TERMS_WORSE: { quoted: bigint; offered: bigint }
  /** The transaction was mined and reverted. Nothing was taken but gas. */
  TRANSACTION_REVERTED: { hash: Hash }
  /** Another transaction took its nonce: the user cancelled or replaced it. */
  TRANSACTION_REPLACED: { hash: Hash; replacement: Hash }
  /**
   * It may have been sent, and is not mined yet or the node cannot be asked. It can still be mined: sending again could
   * act twice. Wait for `hash`.
   */
  TRANSACTION_PENDING: { hash: Hash }
  /** The resource ended in another state than the awaited one. */
  ENDED_OTHERWISE: { status: string }
}

/** The metadata of every reason, by its name. */
export type ReasonMetadata = ApiMetadata & ClientMetadata

/** Why a call failed. Branch on it, never on the message. */
export type Reason = keyof ReasonMetadata
