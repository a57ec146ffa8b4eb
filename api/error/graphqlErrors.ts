import type { GraphQLError, GraphQLFormattedError } from 'graphql'
import type { ServiceError } from '../../domain/error/serviceError.ts'
import { errorBody } from './envelope.ts'
import { toServiceError } from './toServiceError.ts'

export type FailureReport = {
  requestId: string
  /** Called with every failure before it is masked. */
  report: (error: ServiceError) => void
}

function formatError(
  error: ServiceError,
  { requestId, report }: FailureReport,
): GraphQLFormattedError {
  report(error)
  const { message, ...extensions } = errorBody(error)
  return { message, extensions: { ...extensions, requestId } }
}

/** The errors as REST shows them, under `extensions: {code, status, details, requestId}`. */
export function graphqlErrors(
  errors: readonly unknown[],
  failure: FailureReport,
): GraphQLFormattedError[] {
  return errors.map((error) => formatError(toServiceError(error), failure))
}

/** The errors of an execution in the same form, with their paths. */
export function executionErrors(
  errors: readonly GraphQLError[],
  failure: FailureReport,
): GraphQLFormattedError[] {
  return errors.map((error) => ({
    ...formatError(toServiceError(error), failure),
    ...(error.locations && { locations: error.locations }),
    ...(error.path && { path: error.path }),
  }))
}
