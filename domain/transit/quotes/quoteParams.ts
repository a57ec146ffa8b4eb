import type { Address, Hex } from 'viem'
import type { FieldViolation } from '../../error/serviceError.ts'
import { type PermitParams, pairViolations, permitViolations } from '../../token/permit.ts'
import { refuseZero } from '../../token/refuseZero.ts'

/** The parameters of a quote. Addresses are lower case, amounts in offer base units. */
export type QuoteParams = PermitParams & {
  /** Receives the want asset. */
  userAddress: Address
  /** Sends the transaction and pays the offer; by default `userAddress`. */
  payerAddress?: Address | undefined
  offerAmount: bigint
  offerAsset: Address
  sourceChainId: number
  wantAsset: Address
  destinationChainId: number
  integratorFee?: bigint | undefined
  integratorFeeReceiver?: Address | undefined
  distributorCode?: Hex | undefined
  /** Runs the transaction against the chain as it is now. */
  simulate: boolean
}

const PAIRS = [
  ['permitSignature', 'permitDeadline'],
  ['integratorFee', 'integratorFeeReceiver'],
] as const

/** The violations in the given parameters. `named` also has the malformed ones. */
export function quoteViolations(
  params: Partial<QuoteParams>,
  named: Record<string, unknown> = params,
): FieldViolation[] {
  const { userAddress, payerAddress, offerAmount, integratorFee, integratorFeeReceiver } = params
  return [
    ...PAIRS.flatMap((pair) => pairViolations(pair, named)),
    ...refuseZero('userAddress', userAddress),
    ...refuseZero('payerAddress', payerAddress),
    ...refuseZero('offerAmount', offerAmount),
    ...permitViolations(params),
    ...(integratorFee ? refuseZero('integratorFeeReceiver', integratorFeeReceiver) : []),
  ]
}
