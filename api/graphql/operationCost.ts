import { complexityFromQuery } from '@pothos/plugin-complexity'
import { type DocumentNode, GraphQLError, getVariableValues } from 'graphql'
import { invalidFields, ServiceError } from '../../domain/error/serviceError.ts'
import { schema } from '../../schema/schema.ts'
import type { PreparedOperation } from './prepareOperation.ts'

/** The points that one operation may cost; schema/fieldCost.ts says what costs how many. */
const MAX_COST = 10_000

/** In points, as `extensions.cost` tells it. */
export type OperationCost = { requested: number; maximum: number }

/**
 * What an operation costs with these variables, before any of it runs; null for variables that do not
 * fit, with which nothing of it will. Throws `OPERATION_TOO_COSTLY`.
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
    `The operation costs ${cost.requested} points; at most ${MAX_COST}. Ask for smaller pages or fewer fields.`,
    { metadata: { cost: String(cost.requested), maximum: String(MAX_COST) } },
  )
}

function requestedCost(document: DocumentNode, variables: Record<string, unknown>): number {
  try {
    return complexityFromQuery(document, { schema, variables }).complexity
  } catch (error) {
    // An argument that a variable leaves null: its field alone would fail, and the others run uncounted.
    if (error instanceof GraphQLError)
      throw invalidFields([{ field: 'query', description: error.message }], 'INVALID_GRAPHQL')
    throw error
  }
}
