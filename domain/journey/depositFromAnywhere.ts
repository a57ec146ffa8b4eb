import type { PreviewedCall } from '../call/preparedCall.ts'
import { deposit } from '../earn/deposits/deposit.ts'
import { invalidFields, ServiceError } from '../error/serviceError.ts'
import type { JourneyContext } from './journeyContext.ts'
import { type AnyDepositParams, isJourney, journeyViolations } from './journeyParams.ts'
import { type PreparedJourney, prepareJourney } from './prepareJourney.ts'

/** The parameters of a quote, by those of a deposit that it is made of. */
const NAMES: Record<string, string> = {
  offerAmount: 'depositAmount',
  wantAmount: 'wantShares',
  offerAsset: 'sourceAsset',
}

/** A deposit on the vault's own chain with its own asset, or a journey. Throws like `deposit` and `prepareJourney`. */
export async function depositFromAnywhere(
  context: JourneyContext,
  params: AnyDepositParams,
): Promise<PreviewedCall & { journey?: PreparedJourney }> {
  if (isJourney(params)) return prepareJourney(context, params).catch(renameFields)
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

/** An error of the quote names the parameters of the deposit. */
function renameFields(error: unknown): never {
  if (!(error instanceof ServiceError)) throw error
  const { reason, message, metadata, retryAfterSeconds, cause } = error
  const fieldViolations = error.fieldViolations.map(({ field, description }) => ({
    field: NAMES[field] ?? field,
    description,
  }))
  throw new ServiceError(reason, message, {
    metadata,
    fieldViolations,
    cause,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })
}
