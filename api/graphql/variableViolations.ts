import {
  type FieldNode,
  type GraphQLArgument,
  type GraphQLField,
  getVariableValues,
  Kind,
  valueFromAST,
} from 'graphql'
import { permissionOf } from '../../domain/access/permissions.ts'
import type { AppContext } from '../../domain/appContext.ts'
import type { FieldViolation } from '../../domain/error/serviceError.ts'
import { argumentCheck } from '../../schema/argumentChecks.ts'
import { schema } from '../../schema/schema.ts'
import { withoutNulls } from '../../schema/withoutNulls.ts'
import { fieldCollector } from './fieldCollector.ts'
import type { PreparedOperation } from './prepareOperation.ts'

type Values = Record<string, unknown>
type Field = GraphQLField<unknown, AppContext>

/**
 * The faults of variables that do not fit, by the variables' names, and what the root fields refuse of their well-formed
 * arguments, by the arguments' names: REST names both in one answer too. Empty if all variables fit.
 */
export function variableViolations(
  { document, operation }: PreparedOperation,
  variables: Values,
  context: AppContext,
): FieldViolation[] {
  const fitting: Values = {}
  const misfits = (operation.variableDefinitions ?? []).flatMap((definition) => {
    const { coerced, errors } = getVariableValues(schema, [definition], variables, {
      hideSuggestions: true,
    })
    Object.assign(fitting, coerced)
    const field = definition.variable.name.value
    return (errors ?? []).map(({ message }) => ({ field, description: message }))
  })
  if (misfits.length === 0) return []
  const bad = new Set(misfits.map(({ field }) => field))
  const fields = schema.getRootType(operation.operation)?.getFields() ?? {}
  const refused = fieldCollector(document)(operation.selectionSet).flatMap((node) => {
    const field = fields[node.name.value]
    if (!field || !mayUse(field, context)) return []
    return refusedArguments(field, node, { variables: { fitting, bad }, context })
  })
  return [...misfits, ...refused]
}

/** A caller without the permission learns nothing of the arguments. */
function mayUse({ name }: Field, { caller }: AppContext): boolean {
  const permission = permissionOf(name)
  return permission === null || (caller?.permissions.includes(permission) ?? false)
}

type Variables = { fitting: Values; bad: Set<string> }

/** The violations of the well-formed arguments of one root field. */
function refusedArguments(
  field: Field,
  node: FieldNode,
  { variables, context }: { variables: Variables; context: AppContext },
): FieldViolation[] {
  const nodes = new Map(node.arguments?.map(({ name, value }) => [name.value, value]))
  const isMisfit = ({ name }: GraphQLArgument) => {
    const value = nodes.get(name)
    return value?.kind === Kind.VARIABLE && variables.bad.has(value.name.value)
  }
  const misfits = new Set(field.args.filter(isMisfit).map(({ name }) => name))
  const values = field.args
    .filter(({ name }) => !misfits.has(name))
    .map(({ name, type, defaultValue }) => {
      const value = valueFromAST(nodes.get(name), type, variables.fitting)
      return [name, value === undefined ? defaultValue : value]
    })
  const args = withoutNulls(Object.fromEntries(values))
  const named = { ...Object.fromEntries([...misfits].map((name) => [name, true])), ...args }
  return argumentCheck(field.extensions)(args, { context, named }).filter(
    (violation) => !misfits.has(violation.field),
  )
}
