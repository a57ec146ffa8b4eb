import type { Address, Hex } from 'viem'
import type { FieldViolation } from '../../error/serviceError.ts'
import type { Receiver } from '../../receiver/refuseReceivers.ts'
import { type PermitParams, pairViolations, permitViolations } from '../../token/permit.ts'
import { refuseZero } from '../../token/refuseZero.ts'

/** The parameters of a quote. Addresses are lower case. Amounts are offer base units, except `wantAmount`. */
export type QuoteParams = PermitParams & {
  /** Receives the want asset. */
  userAddress: Address
  /** Sends the transaction and pays the offer; by default `userAddress`. */
  payerAddress?: Address | undefined
  /** Either this or `wantAmount`. */
  offerAmount?: bigint | undefined
  /** The least amount that the receiver shall get, in want base units. */
  wantAmount?: bigint | undefined
  offerAsset: Address
  sourceChainId: number
  wantAsset: Address
  destinationChainId: number
  integratorFee?: bigint | undefined
  integratorFeeReceiver?: Address | undefined
  distributorCode?: Hex | undefined
  /** Runs the transaction against the chain as it is now. */
  simulate: boolean
  /** Only the figures: nothing is signed or counted in the route's cap. */
  indicative: boolean
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
  const { payerAddress, offerAmount, wantAmount } = params
  return [
    ...amountViolations(named),
    ...PAIRS.flatMap((pair) => pairViolations(pair, named)),
    ...refuseZero('payerAddress', payerAddress),
    ...refuseZero('offerAmount', offerAmount),
    ...refuseZero('wantAmount', wantAmount),
    ...permitViolations(params),
    ...indicativeViolations(params),
  ]
}

/** What an indicative quote has no transaction for. */
function indicativeViolations({
  indicative,
  simulate,
  permitSignature,
}: Partial<QuoteParams>): FieldViolation[] {
  if (!indicative) return []
  const description = 'not with indicative=true: such a quote has no transaction'
  return [
    ...(simulate ? [{ field: 'simulate', description }] : []),
    ...(permitSignature === undefined ? [] : [{ field: 'permitSignature', description }]),
  ]
}

/** The accounts that an order pays: its receiver on the destination, and the integrator on the source. */
export function quoteReceivers(params: Partial<QuoteParams>): Receiver[] {
  const { integratorFee, integratorFeeReceiver } = params
  return [
    {
      field: 'userAddress',
      account: params.userAddress,
      chainId: params.destinationChainId,
      token: params.wantAsset,
    },
    {
      field: 'integratorFeeReceiver',
      // Without a fee the station takes any.
      account: integratorFee ? integratorFeeReceiver : undefined,
      chainId: params.sourceChainId,
      token: params.offerAsset,
    },
  ]
}

/** A quote is by what is offered or by what is wanted. */
function amountViolations({ offerAmount, wantAmount }: Record<string, unknown>): FieldViolation[] {
  if (offerAmount === undefined && wantAmount === undefined)
    return [{ field: 'offerAmount', description: 'required unless wantAmount is given' }]
  if (offerAmount === undefined || wantAmount === undefined) return []
  return [{ field: 'wantAmount', description: 'not together with offerAmount: give one of them' }]
}
