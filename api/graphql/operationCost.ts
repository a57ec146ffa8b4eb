import { complexityFromQuery } from '@pothos/plugin-complexity'
import {
  type DocumentNode,
  GraphQLError,
  getVariableValues,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { invalidFields, ServiceError } from '../../domain/error/serviceError.ts'
import { schema } from '../../schema/schema.ts'
import { fieldCollector } from './fieldCollector.ts'
import { introspectionCost } from './introspectionCost.ts'
import type { PreparedOperation } from './prepareOperation.ts'

/** The points that one operation may cost. schema/fieldCost.ts has the cost of each field. */
const MAX_COST = 10_000

type Variables = Record<string, unknown>

/** In points, as `extensions.cost` shows it. */
export type OperationCost = { requested: number; maximum: number }

/**
 * The cost of an operation with these variables, before it runs. Null for variables that do not
 * fit, because then it will not run. Throws `OPERATION_TOO_COSTLY`.
 */
export function operationCost(
  prepared: PreparedOperation,
  variables: Variables = {},
): OperationCost | null {
  const { operation } = prepared
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables)
  if (!coerced) return null
  const requested = fieldsCost(prepared, variables) + schemaCost(prepared, coerced)
  const cost = { requested, maximum: MAX_COST }
  if (cost.requested <= MAX_COST) return cost
  throw new ServiceError(
    'OPERATION_TOO_COSTLY',
    `The operation costs ${cost.requested} points; the maximum is ${MAX_COST}. Select fewer fields or smaller pages.`,
    { metadata: { cost: String(cost.requested), maximum: String(MAX_COST) } },
  )
}

/** Costs of operations that always read the same of the schema. */
const schemaCosts = new WeakMap<OperationDefinitionNode, number>()

function schemaCost({ document, operation }: PreparedOperation, variables: Variables): number {
  const known = schemaCosts.get(operation)
  if (known !== undefined) return known
  const cost = introspectionCost(document, operation, { variables, most: MAX_COST })
  if (!operation.variableDefinitions?.length || !asksSchema(document, operation))
    schemaCosts.set(operation, cost)
  return cost
}

function asksSchema(document: DocumentNode, { selectionSet }: OperationDefinitionNode): boolean {
  return fieldCollector(document)(selectionSet).some(({ name }) => name.value.startsWith('__'))
}

/** The cost of operations that is the same for all variables; null for others. */
const fixedCosts = new WeakMap<OperationDefinitionNode, number | null>()

function fieldsCost({ ownDocument, operation }: PreparedOperation, variables: Variables): number {
  const known = fixedCosts.get(operation)
  if (typeof known === 'number') return known
  const cost = requestedCost(ownDocument, variables)
  if (known === undefined) fixedCosts.set(operation, isFixed(ownDocument) ? cost : null)
  return cost
}

/** Whether no field has a cost by its arguments, and none is skipped or included. A field without arguments costs the same. */
function isFixed(document: DocumentNode): boolean {
  const types = new TypeInfo(schema)
  let isSame = true
  const visitor = {
    Field() {
      const field = types.getFieldDef()
      if (typeof field?.extensions.complexity === 'function' && field.args.length > 0)
        isSame = false
    },
    Directive() {
      isSame = false
    },
  }
  visit(document, visitWithTypeInfo(types, visitor))
  return isSame
}

function requestedCost(document: DocumentNode, variables: Variables): number {
  try {
    return complexityFromQuery(document, { schema, variables }).complexity
  } catch (error) {
    // A variable left a required argument null. Only that field would fail; the others would run uncounted.
    if (error instanceof GraphQLError)
      throw invalidFields([{ field: 'query', description: error.message }], 'INVALID_GRAPHQL')
    throw error
  }
}
