import { complexityFromQuery } from '@pothos/plugin-complexity'
import { type DocumentNode, GraphQLError, getVariableValues } from 'graphql'
import { invalidFields, ServiceError } from '../../domain/error/serviceError.ts'
import { schema } from '../../schema/schema.ts'
import type { PreparedOperation } from './prepareOperation.ts'

/** The points that one operation may cost. schema/fieldCost.ts has the cost of each field. */
const MAX_COST = 10_000

/** In points, as `extensions.cost` shows it. */
export type OperationCost = { requested: number; maximum: number }

/**
 * The cost of an operation with these variables, before it runs. Null for variables that do not
 * fit, because then it will not run. Throws `OPERATION_TOO_COSTLY`.
 */
export function operationCost(
  { ownDocument, operation }: PreparedOperation,
  variables: Record<string, unknown> = {},
): OperationCost | null {
  const { errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables)
  if (errors) return null
  const cost = { requested: requestedCost(ownDocument, variables), maximum: MAX_COST }
  if (cost.requested <= MAX_COST) return cost
  throw new ServiceError(
    'OPERATION_TOO_COSTLY',
    `The operation costs ${cost.requested} points; the maximum is ${MAX_COST}. Select fewer fields or smaller pages.`,
    { metadata: { cost: String(cost.requested), maximum: String(MAX_COST) } },
  )
}

function requestedCost(document: DocumentNode, variables: Record<string, unknown>): number {
  try {
    return complexityFromQuery(document, { schema, variables }).complexity
  } catch (error) {
    // A variable left a required argument null. Only that field would fail; the others would run uncounted.
    if (error instanceof GraphQLError)
      throw invalidFields([{ field: 'query', description: error.message }], 'INVALID_GRAPHQL')
    throw error
  }
}
