import type { Address } from 'viem'
import type { FieldViolation } from '../../error/serviceError.ts'
import { type WithdrawalId, withdrawalPlace } from './withdrawalRequest.ts'

/** The parameters of a cancellation. Addresses are lower case. */
export type CancelParams = {
  vaultAddress: Address
  chainId: number
  /** The request's number in its queue. Either this or `requestId`. */
  orderIndex?: bigint | undefined
  requestId?: WithdrawalId | undefined
  /** Runs the transaction against the chain as it is now, as the receipt's holder. */
  simulate: boolean
}

/** The violations in the given parameters; `named` also has the malformed ones. */
export function cancelViolations(
  { chainId, requestId }: Partial<CancelParams>,
  { orderIndex, requestId: namedId }: Record<string, unknown>,
): FieldViolation[] {
  if (orderIndex === undefined && namedId === undefined)
    return [{ field: 'orderIndex', description: 'required unless requestId is given' }]
  if (orderIndex !== undefined && namedId !== undefined)
    return [{ field: 'requestId', description: 'not together with orderIndex: give one of them' }]
  if (requestId === undefined || chainId === undefined) return []
  return withdrawalPlace(requestId).chainId === chainId
    ? []
    : [{ field: 'requestId', description: `expected a request of chain ${chainId}` }]
}
