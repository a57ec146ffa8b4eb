import { type ExecutionArgs, type ExecutionResult, execute, type OperationTypeNode } from 'graphql'
import type { AppContext } from '../../domain/appContext.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { schema } from '../../schema/schema.ts'
import { type OperationCost, operationCost } from './operationCost.ts'
import type { PreparedOperation } from './prepareOperation.ts'

export type OperationInput = {
  variables: Record<string, unknown> | undefined
  context: AppContext
}

/** An operation that may run. REST, GraphQL and the stream get one only from `admitOperation`. */
export type AdmittedOperation = {
  kind: OperationTypeNode
  args: ExecutionArgs & { contextValue: AppContext }
  /** Null where the variables do not fit: the execution refuses them. */
  cost: OperationCost | null
}

/** Checks the cost of a prepared operation before it runs. Throws `OPERATION_TOO_COSTLY`. */
export function admitOperation(
  prepared: PreparedOperation,
  { variables, context }: OperationInput,
): AdmittedOperation {
  const { document, operationName, operation } = prepared
  return {
    kind: operation.operation,
    args: {
      schema,
      document,
      operationName,
      hideSuggestions: true,
      variableValues: variables,
      contextValue: context,
    },
    cost: operationCost(prepared, variables),
  }
}

/** Runs an admitted query. Throws `SUBSCRIPTION_NEEDS_STREAM` for a subscription. */
export function executeOperation({
  kind,
  args,
}: AdmittedOperation): ExecutionResult | Promise<ExecutionResult> {
  if (kind === 'subscription')
    throw new ServiceError(
      'SUBSCRIPTION_NEEDS_STREAM',
      'Subscriptions are served as server-sent events: send this request to /graphql/stream.',
    )
  return execute(args)
}
