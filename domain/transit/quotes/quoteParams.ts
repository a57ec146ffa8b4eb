import type { Address, Hex } from 'viem'
import type { AddressBook } from '../../addressBook/addressBook.ts'
import type { FieldViolation } from '../../error/serviceError.ts'
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
  const { userAddress, payerAddress, offerAmount, wantAmount } = params
  const { integratorFee, integratorFeeReceiver } = params
  return [
    ...amountViolations(named),
    ...PAIRS.flatMap((pair) => pairViolations(pair, named)),
    ...refuseZero('userAddress', userAddress),
    ...refuseZero('payerAddress', payerAddress),
    ...refuseZero('offerAmount', offerAmount),
    ...refuseZero('wantAmount', wantAmount),
    ...permitViolations(params),
    ...(integratorFee ? refuseZero('integratorFeeReceiver', integratorFeeReceiver) : []),
  ]
}

/** The violations of accounts that would be paid but are tokens: what a token is sent is lost. */
export function payeeViolations(
  { tokens }: Pick<AddressBook, 'tokens'>,
  params: Partial<QuoteParams>,
): FieldViolation[] {
  const { userAddress, integratorFeeReceiver, sourceChainId, destinationChainId } = params
  const isToken = (account: Address | undefined, on: number | undefined) =>
    tokens.some(({ chainId, address }) => chainId === on && address === account)
  const description = 'expected an account that can use the funds, not a token contract'
  return [
    ...(isToken(userAddress, destinationChainId) ? [{ field: 'userAddress', description }] : []),
    ...(isToken(integratorFeeReceiver, sourceChainId)
      ? [{ field: 'integratorFeeReceiver', description }]
      : []),
  ]
}

/** A quote is by what is offered or by what is wanted. */
function amountViolations({ offerAmount, wantAmount }: Record<string, unknown>): FieldViolation[] {
  if (offerAmount === undefined && wantAmount === undefined)
    return [{ field: 'offerAmount', description: 'required unless wantAmount is given' }]
  if (offerAmount === undefined || wantAmount === undefined) return []
  return [{ field: 'wantAmount', description: 'not together with offerAmount: give one of them' }]
}
