import type { Address } from 'viem'
import type { FieldViolation } from '../../error/serviceError.ts'
import { type PermitParams, pairViolations, permitViolations } from '../../token/permit.ts'
import { refuseAmount, refuseZero } from '../../token/refuseZero.ts'

/** What a deposit is asked for with. Addresses are lower case, the amount in units of the asset. */
export type DepositParams = PermitParams & {
  vaultAddress: Address
  depositAsset: Address
  depositAmount: bigint
  /** Who sends it, and gets the shares without `to`. */
  userAddress: Address
  chainId: number
  to?: Address | undefined
  /** Runs the transaction against the chain as it is now. */
  simulate: boolean
}

/** What is wrong with those of the parameters that are given; `named` also counts the malformed. */
export function depositViolations(
  params: Partial<DepositParams>,
  named: Record<string, unknown> = params,
): FieldViolation[] {
  return [
    ...pairViolations(['permitSignature', 'permitDeadline'], named),
    ...permitViolations(params),
    ...refuseAmount('depositAmount', params.depositAmount),
    ...refuseZero('userAddress', params.userAddress),
    ...refuseZero('to', params.to),
  ]
}
