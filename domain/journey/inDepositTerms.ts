import { ServiceError } from '../error/serviceError.ts'
import type { AnyDepositParams } from './journeyParams.ts'

/** The parameters of a quote and of a smart deposit address, by those of a deposit that they are made of. */
const NAMES = {
  offerAmount: 'depositAmount',
  wantAmount: 'wantShares',
  offerAsset: 'sourceAsset',
  inputToken: 'depositAsset',
}

type Receiving = Pick<AnyDepositParams, 'to'>

/** Runs `work`. An error of its quote or its address names the parameters of the deposit. */
export async function inDepositTerms<Result>(
  params: Receiving,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof ServiceError ? renamed(error, params) : error
  }
}

function renamed(error: ServiceError, { to }: Receiving): ServiceError {
  const { reason, message, metadata, retryAfterSeconds, cause } = error
  const names: Record<string, string> = {
    ...NAMES,
    userDestinationAddress: to ? 'to' : 'userAddress',
  }
  const fieldViolations = error.fieldViolations.map(({ field, description }) => ({
    field: names[field] ?? field,
    description,
  }))
  return new ServiceError(reason, message, {
    metadata,
    fieldViolations,
    cause,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })
}
