import type { ExecutionResult, OperationDefinitionNode } from 'graphql'
import type { AppContext } from '../../domain/appContext.ts'
import { invalidFields, ServiceError } from '../../domain/error/serviceError.ts'
import type { GivenRoot } from '../../schema/builder.ts'
import { schema } from '../../schema/schema.ts'
import { refuseBrokenFields } from '../http/refuseBrokenText.ts'
import { type ContextArgs, executeNamingLost } from './executeNamingLost.ts'
import { type OperationCost, operationCost } from './operationCost.ts'
import type { PreparedOperation } from './prepareOperation.ts'
import { variableViolations } from './variableViolations.ts'

export type OperationInput = {
  variables: Record<string, unknown> | undefined
  context: AppContext
  /** Results that were read before the operation runs, by root field. These fields do not read again. */
  root?: GivenRoot
}

/** An operation that may run. REST, GraphQL and the stream get one only from `admitOperation`. */
export type AdmittedOperation = {
  operation: OperationDefinitionNode
  args: ContextArgs
  cost: OperationCost
}

/**
 * Checks the variables and the cost of a prepared operation before it runs. Throws `INVALID_FIELD` with every fault of
 * variables that do not fit, `OPERATION_TOO_COSTLY`.
 */
export function admitOperation(
  prepared: PreparedOperation,
  { variables, context, root = {} }: OperationInput,
): AdmittedOperation {
  const { document, operationName, operation } = prepared
  refuseBrokenFields(variables ?? {})
  const cost = operationCost(prepared, variables)
  if (!cost) throw invalidFields(variableViolations(prepared, variables ?? {}, context))
  return {
    operation,
    args: {
      schema,
      document,
      operationName,
      hideSuggestions: true,
      variableValues: variables,
      contextValue: context,
      rootValue: root,
    },
    cost,
  }
}

/** Runs an admitted query. Throws `SUBSCRIPTION_NEEDS_STREAM` for a subscription. */
export async function executeOperation({
  operation,
  args,
}: AdmittedOperation): Promise<ExecutionResult> {
  if (operation.operation === 'subscription')
    throw new ServiceError(
      'SUBSCRIPTION_NEEDS_STREAM',
      'Subscriptions are served as server-sent events: send this request to /graphql/stream.',
    )
  return executeNamingLost(args)
}
