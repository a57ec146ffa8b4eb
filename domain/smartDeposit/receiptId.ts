import { encodeAbiParameters, type Hex, keccak256, parseAbiParameters } from 'viem'

/** One transfer to a smart deposit address, by what stays when a reorganisation moves its transaction. */
export type ReceiptKey = {
  chainId: number
  transactionHash: Hex
  /** Among the logs of its transaction, from 0. */
  logPosition: number
}

const RECEIPT = parseAbiParameters('uint256 chainId, bytes32 transactionHash, uint256 logPosition')
const ATTEMPT = parseAbiParameters('bytes32 receiptId, uint256 attempt')

/** The name of a receipt, which the factory settles once: 32 bytes, the same for all attempts. */
export function receiptIdOf({ chainId, transactionHash, logPosition }: ReceiptKey): Hex {
  const values = [BigInt(chainId), transactionHash, BigInt(logPosition)] as const
  return keccak256(encodeAbiParameters(RECEIPT, values))
}

/** The `deposit_id` of an attempt, counted from 1, to settle a receipt: 32 bytes. */
export function depositIdOf(receiptId: Hex, attempt: number): Hex {
  return keccak256(encodeAbiParameters(ATTEMPT, [receiptId, BigInt(attempt)]))
}
