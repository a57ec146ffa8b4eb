import type { PreviewedCall } from '../call/preparedCall.ts'
import { deposit } from '../earn/deposits/deposit.ts'
import { invalidFields } from '../error/serviceError.ts'
import { inDepositTerms } from './inDepositTerms.ts'
import type { JourneyContext } from './journeyContext.ts'
import { type AnyDepositParams, isJourney, journeyViolations } from './journeyParams.ts'
import { type PreparedJourney, prepareJourney } from './prepareJourney.ts'

/** A deposit on the vault's own chain with its own asset, or a journey. Throws like `deposit` and `prepareJourney`. */
export async function depositFromAnywhere(
  context: JourneyContext,
  params: AnyDepositParams,
): Promise<PreviewedCall & { journey?: PreparedJourney }> {
  if (isJourney(params)) return inDepositTerms(params, () => prepareJourney(context, params))
  const {
    sourceChainId: _,
    sourceAsset: __,
    wantShares,
    customerId: ___,
    depositAmount,
    ...rest
  } = params
  const violations = journeyViolations(params)
  if (depositAmount !== undefined && violations.length === 0)
    return deposit(context, { ...rest, depositAmount })
  if (wantShares === undefined || violations.length > 0) throw invalidFields(violations)
  const description = 'only where sourceAsset is another token, or on another chain'
  throw invalidFields([{ field: 'wantShares', description }])
}
