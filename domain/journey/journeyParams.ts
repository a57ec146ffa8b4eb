import type { Address } from 'viem'
import type { DepositParams } from '../earn/deposits/depositParams.ts'
import { paramViolations } from '../error/paramViolations.ts'
import type { FieldViolation } from '../error/serviceError.ts'
import { customerIdParam } from '../smartDeposit/smartDepositParams.ts'
import { pairViolations } from '../token/permit.ts'
import { refuseAmount } from '../token/refuseZero.ts'

/** What a deposit from another chain or token has besides the parameters of every deposit. */
type SourceTerms = {
  /** The chain and the token that the user pays with. */
  sourceChainId: number
  sourceAsset: Address
  /** Instead of the amount: the shares that the user shall get at least, at the present rate. */
  wantShares?: bigint | undefined
  customerId?: string | undefined
}

/** Amounts in base units of the source asset. */
export type JourneyParams = Omit<DepositParams, 'depositAmount'> & {
  depositAmount?: bigint | undefined
} & SourceTerms

/** The parameters of `deposit`, which is a journey where it begins elsewhere. */
export type AnyDepositParams = Omit<JourneyParams, keyof SourceTerms> & {
  [Term in keyof SourceTerms]?: SourceTerms[Term] | undefined
}

/** Whether the user pays on another chain, or with another token than the vault takes. */
export function isJourney(params: AnyDepositParams): params is JourneyParams {
  const { sourceChainId, sourceAsset, chainId, depositAsset } = params
  if (sourceChainId === undefined || sourceAsset === undefined) return false
  return sourceChainId !== chainId || sourceAsset !== depositAsset
}

/** The violations in the given parameters, besides those of every deposit. */
export function journeyViolations(
  params: Partial<AnyDepositParams>,
  named: Record<string, unknown> = params,
): FieldViolation[] {
  const { customerId, wantShares } = params
  const isAlone = customerId !== undefined && named.sourceAsset === undefined
  return [
    ...pairViolations(['sourceChainId', 'sourceAsset'], named),
    ...amountViolations(named),
    ...refuseAmount('wantShares', wantShares),
    ...(isAlone
      ? [{ field: 'customerId', description: 'only together with sourceChainId and sourceAsset' }]
      : []),
    ...paramViolations('customerId', customerIdParam.optional(), customerId),
  ]
}

function amountViolations(named: Record<string, unknown>): FieldViolation[] {
  const { depositAmount, wantShares, sourceAsset } = named
  if (depositAmount === undefined && wantShares === undefined)
    return [{ field: 'depositAmount', description: 'required unless wantShares is given' }]
  if (wantShares === undefined) return []
  if (depositAmount !== undefined)
    return [
      { field: 'wantShares', description: 'not together with depositAmount: give one of them' },
    ]
  return sourceAsset === undefined
    ? [{ field: 'wantShares', description: 'only together with sourceChainId and sourceAsset' }]
    : []
}
