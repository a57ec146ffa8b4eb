import { type ExecutionResult, getVariableValues, type OperationDefinitionNode } from 'graphql'
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

/** An operation whose variables fit. */
export type FittedOperation = {
  operation: OperationDefinitionNode
  args: ContextArgs
}

/** An operation that may run. GraphQL and the stream get one only from `admitOperation`. */
export type AdmittedOperation = FittedOperation & { cost: OperationCost }

/**
 * Checks the variables and the cost of a prepared operation before it runs. Throws `INVALID_FIELD` with every fault of
 * variables that do not fit, `OPERATION_TOO_COSTLY`.
 */
export function admitOperation(
  prepared: PreparedOperation,
  input: OperationInput,
): AdmittedOperation {
  refuseBrokenFields(input.variables ?? {})
  const cost = operationCost(prepared, input.variables)
  if (!cost) throw misfit(prepared, input)
  return { ...fitted(prepared, input), cost }
}

/**
 * Checks the variables of a document of REST. Its cost is not counted again for each request: a test admits each of these
 * documents with its largest page. Throws `INVALID_FIELD` with every fault of variables that do not fit.
 */
export function fitOperation(prepared: PreparedOperation, input: OperationInput): FittedOperation {
  const { variables = {} } = input
  refuseBrokenFields(variables)
  const { errors } = getVariableValues(
    schema,
    prepared.operation.variableDefinitions ?? [],
    variables,
  )
  if (errors) throw misfit(prepared, input)
  return fitted(prepared, input)
}

function misfit(prepared: PreparedOperation, { variables = {}, context }: OperationInput) {
  return invalidFields(variableViolations(prepared, variables, context))
}

function fitted(
  { document, operationName, operation }: PreparedOperation,
  { variables, context, root = {} }: OperationInput,
): FittedOperation {
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
  }
}

/** Runs a query. Throws `SUBSCRIPTION_NEEDS_STREAM` for a subscription. */
export async function executeOperation({
  operation,
  args,
}: FittedOperation): Promise<ExecutionResult> {
  if (operation.operation === 'subscription')
    throw new ServiceError(
      'SUBSCRIPTION_NEEDS_STREAM',
      'Subscriptions are served as server-sent events: send this request to /graphql/stream.',
    )
  return executeNamingLost(args)
}
