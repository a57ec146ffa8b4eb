import { type ExecutionResult, execute } from 'graphql'
import type { RequestContext } from '../../domain/context.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { schema } from '../../schema/schema.ts'
import type { PreparedOperation } from './prepareOperation.ts'

export type OperationInput = {
  variables: Record<string, unknown> | undefined
  context: RequestContext
}

/** Runs a prepared query. Throws `SUBSCRIPTION_NEEDS_STREAM` for a subscription. */
export function executeOperation(
  { document, operationName, kind }: PreparedOperation,
  { variables, context }: OperationInput,
): ExecutionResult | Promise<ExecutionResult> {
  if (kind === 'subscription')
    throw new ServiceError(
      'SUBSCRIPTION_NEEDS_STREAM',
      'Subscriptions are served as server-sent events: send this request to /graphql/stream.',
    )
  return execute({
    schema,
    document,
    operationName,
    variableValues: variables,
    contextValue: context,
  })
}
