import { type GraphQLError, type GraphQLFormattedError, Kind } from 'graphql'
import { invalidFields, type ServiceError } from '../../domain/error/serviceError.ts'
import { errorBody } from './envelope.ts'
import { toServiceError } from './toServiceError.ts'

export type FailureReport = {
  requestId: string
  /** Called with every failure before it is masked. */
  report: (error: ServiceError) => void
}

/** The variable whose value was refused; undefined for every other error. */
function badVariable({ nodes }: GraphQLError): string | undefined {
  const [node] = nodes ?? []
  return node?.kind === Kind.VARIABLE_DEFINITION ? node.variable.name.value : undefined
}

function formatError(
  error: ServiceError,
  { requestId, report }: FailureReport,
): GraphQLFormattedError {
  report(error)
  const { message, ...extensions } = errorBody(error)
  return { message, extensions: { ...extensions, requestId } }
}

/**
 * The errors as REST shows them, under `extensions: {code, status, details, requestId}`.
 * All bad variables are one error.
 */
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
  const violations = errors.flatMap((error) => {
    const field = badVariable(error)
    return field === undefined ? [] : [{ field, description: error.message }]
  })
  if (violations.length > 0) return graphqlErrors([invalidFields(violations)], failure)
  return errors.map((error) => ({
    ...formatError(toServiceError(error), failure),
    ...(error.locations && { locations: error.locations }),
    ...(error.path && { path: error.path }),
  }))
}
