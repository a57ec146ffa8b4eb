import { encodeAbiParameters, type Hex, keccak256, parseAbiParameters } from 'viem'

/** A payment by properties that a reorganization does not change. */
export type PaymentKey = {
  chainId: number
  transactionHash: Hex
  /** Among the logs of its transaction, from 0. */
  logPosition: number
}

const PAYMENT = parseAbiParameters('uint256 chainId, bytes32 transactionHash, uint256 logPosition')
const ATTEMPT = parseAbiParameters('bytes32 paymentId, uint256 attempt')

/** The id of a payment, the same for all attempts: 32 bytes. The factory settles each id once. */
export function paymentIdOf({ chainId, transactionHash, logPosition }: PaymentKey): Hex {
  const values = [BigInt(chainId), transactionHash, BigInt(logPosition)] as const
  return keccak256(encodeAbiParameters(PAYMENT, values))
}

/** The `deposit_id` of an attempt, counted from 1, to settle a payment: 32 bytes. */
export function depositIdOf(paymentId: Hex, attempt: number): Hex {
  return keccak256(encodeAbiParameters(ATTEMPT, [paymentId, BigInt(attempt)]))
}
