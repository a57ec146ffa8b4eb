import type { Address } from 'viem'
import type { FieldViolation } from '../../error/serviceError.ts'
import type { Receiver } from '../../receiver/refuseReceivers.ts'
import { type PermitParams, pairViolations, permitViolations } from '../../token/permit.ts'
import { refuseAmount, refuseZero } from '../../token/refuseZero.ts'

/** The parameters of a deposit. Addresses are lower case, the amount is in units of the asset. */
export type DepositParams = PermitParams & {
  vaultAddress: Address
  depositAsset: Address
  depositAmount: bigint
  /** Sends the transaction, and receives the shares if `to` is absent. */
  userAddress: Address
  chainId: number
  to?: Address | undefined
  /** Runs the transaction on the current state of the chain. */
  simulate: boolean
}

/** Some of the parameters. */
type Given = Partial<Omit<DepositParams, 'depositAmount'>> & { depositAmount?: bigint | undefined }

/** The violations in the given parameters; `named` also has the malformed ones. */
export function depositViolations(
  params: Given,
  named: Record<string, unknown> = params,
): FieldViolation[] {
  return [
    ...pairViolations(['permitSignature', 'permitDeadline'], named),
    ...permitViolations(params),
    ...refuseAmount('depositAmount', params.depositAmount),
    ...refuseZero('userAddress', params.userAddress),
  ]
}

/** The account that gets the shares. A sender can use them: it sends the transaction itself. */
export function depositReceivers(params: Given): Receiver[] {
  const { to, userAddress, chainId, vaultAddress: token } = params
  return [{ field: 'to', account: to === userAddress ? undefined : to, chainId, token }]
}
