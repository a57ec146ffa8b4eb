import { type Address, type Hex, isHex, size, slice } from 'viem'
import type { FieldViolation } from '../error/serviceError.ts'
import type { Permit } from './prepareSubmission.ts'
import { refuseZero } from './refuseZero.ts'

/** What a quote is asked for with. Addresses are lower case, amounts offer base units. */
export type QuoteParams = {
  userAddress: Address
  offerAmount: bigint
  offerAsset: Address
  sourceChainId: number
  wantAsset: Address
  destinationChainId: number
  /** EIP-2612, 65 bytes; with its deadline in Unix seconds. */
  permitSignature?: string | undefined
  permitDeadline?: number | undefined
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

/** What is wrong with those of the parameters that are given; `named` also counts the malformed. */
export function quoteViolations(
  params: Partial<QuoteParams>,
  named: Record<string, unknown> = params,
): FieldViolation[] {
  const { userAddress, offerAmount, permitSignature, integratorFee, integratorFeeReceiver } = params
  return [
    ...PAIRS.flatMap((pair) => lackingOf(pair, named)),
    ...refuseZero('userAddress', userAddress),
    ...refuseZero('offerAmount', offerAmount),
    ...(permitSignature !== undefined && !splitSignature(permitSignature)
      ? [{ field: 'permitSignature', description: SIGNATURE }]
      : []),
    ...(integratorFee ? refuseZero('integratorFeeReceiver', integratorFeeReceiver) : []),
  ]
}

const SIGNATURE = 'expected a signature of 65 bytes: 0x and 130 hex characters, ending in v'

function lackingOf(
  pair: (typeof PAIRS)[number],
  params: Record<string, unknown>,
): FieldViolation[] {
  const [lacking, ...others] = pair.filter((name) => params[name] === undefined)
  if (lacking === undefined || others.length > 0) return []
  const given = pair.find((name) => name !== lacking)
  return [{ field: lacking, description: `required together with ${given}` }]
}

/** The permit of checked parameters, or null without one. */
export function permitOf({ permitSignature, permitDeadline }: QuoteParams): Permit | null {
  const parts = permitSignature === undefined ? null : splitSignature(permitSignature)
  return parts && { ...parts, deadline: BigInt(permitDeadline ?? 0) }
}

/** A 65-byte signature in its parts, v as 27 or 28; null for anything else. */
function splitSignature(signature: string): { r: Hex; s: Hex; v: number } | null {
  if (!isHex(signature) || size(signature) !== 65 || signature.length !== 132) return null
  const last = Number(slice(signature, 64))
  const v = last < 27 ? last + 27 : last
  if (v !== 27 && v !== 28) return null
  return { r: slice(signature, 0, 32), s: slice(signature, 32, 64), v }
}
