import { BaseError, RpcRequestError } from 'viem'
import { ServiceError } from '../../domain/error/serviceError.ts'

/**
 * Texts of geth, Erigon, Nethermind, reth, Besu and anvil for a transaction that no later try changes. An empty
 * transaction with its nonce is accepted instead. Every other refusal can pass: for its fee, for the balance, of a full
 * pool, or of a node that is busy or out of order.
 */
const FOR_GOOD = [
  // Too little gas.
  /intrinsic ?gas|floor data gas|gas floor \(|call gas cost\b.* exceeds the gas limit/i,
  // More gas than a block has, or than the chain allows a transaction.
  /exceeds (the )?block('s)? gas limit|gas ?limit ?exceeded|gas limit reached/i,
  /gas limit (is )?too high|exceeds max(imum)? transaction gas limit/i,
  /gas limit\b.* is (greater|more) than (the (cap|block gas limit)|blocks available gas)/i,
  // Too many bytes.
  /oversized data|MaxTxSizeExceeded|transaction too large/i,
]

/** A node's words if it refuses a transaction for good; null for every other error. */
export function lastingRefusal(error: unknown): string | null {
  const cause = error instanceof ServiceError ? error.cause : error
  const answer = cause instanceof BaseError && cause.walk((one) => one instanceof RpcRequestError)
  if (!(answer instanceof RpcRequestError)) return null
  return FOR_GOOD.some((text) => text.test(answer.details)) ? answer.details : null
}
