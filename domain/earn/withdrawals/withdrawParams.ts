import type { Address } from 'viem'
import { type FieldViolation, invalidFields, type ServiceError } from '../../error/serviceError.ts'
import type { Receiver } from '../../receiver/refuseReceivers.ts'
import { type PermitParams, pairViolations, permitViolations } from '../../token/permit.ts'
import { refuseAmount, refuseZero } from '../../token/refuseZero.ts'

/** The parameters of a withdrawal. Addresses are lower case, the amount is in base units of the shares. */
export type WithdrawParams = PermitParams & {
  vaultAddress: Address
  wantAsset: Address
  shareAmount: bigint
  /** The sender, and the default of the three below. */
  userAddress: Address
  chainId: number
  intendedDepositor?: Address | undefined
  receiver?: Address | undefined
  refundReceiver?: Address | undefined
  /** Refuses a withdrawal that leaves shares which cannot be withdrawn alone. */
  refuseSmallRemainder: boolean
  /** Runs the transaction against the chain as it is now. */
  simulate: boolean
}

/** The violations in the given parameters; `named` also has the malformed ones. */
export function withdrawViolations(
  params: Partial<WithdrawParams>,
  named: Record<string, unknown> = params,
): FieldViolation[] {
  return [
    ...pairViolations(['permitSignature', 'permitDeadline'], named),
    ...permitViolations(params),
    ...refuseAmount('shareAmount', params.shareAmount),
    ...refuseZero('userAddress', params.userAddress),
  ]
}

/** The error for an intended depositor that is not the sender: the queue requires that it is. */
export function otherDepositor(params: Partial<WithdrawParams>): ServiceError | undefined {
  const { intendedDepositor, userAddress } = params
  if (intendedDepositor === undefined || intendedDepositor === userAddress) return undefined
  const description =
    'expected the userAddress: the queue accepts a withdrawal request only from its sender'
  return invalidFields(
    [{ field: 'intendedDepositor', description }],
    'INTENDED_DEPOSITOR_NOT_SENDER',
  )
}

/** The accounts that get the asset, or the shares of a refund. A sender can use both: it sends the transaction itself. */
export function withdrawReceivers(params: Partial<WithdrawParams>): Receiver[] {
  const { userAddress, chainId, wantAsset, vaultAddress } = params
  const unlessSender = (account: Address | undefined) =>
    account === userAddress ? undefined : account
  return [
    { field: 'receiver', account: unlessSender(params.receiver), chainId, token: wantAsset },
    {
      field: 'refundReceiver',
      account: unlessSender(params.refundReceiver),
      chainId,
      token: vaultAddress,
    },
  ]
}
