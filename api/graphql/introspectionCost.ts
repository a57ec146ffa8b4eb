import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  getArgumentValues,
  getNamedType,
  isObjectType,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql'
import { schema } from '../../schema/schema.ts'
import { fieldCollector } from './fieldCollector.ts'

type Variables = Record<string, unknown>
type MetaField = GraphQLField<unknown, unknown>

const META_FIELDS = new Map<string, MetaField>(
  [SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => [field.name, field]),
)
/**
 * The points of `__schema` and `__type` in an operation: one per object of their answer, counted on the schema itself. It
 * stops to count above `most`.
 */
export function introspectionCost(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  { variables, most }: { variables: Variables; most: number },
): number {
  const fieldsOf = fieldCollector(document)
  let objects = 0

  function countField(field: MetaField, node: FieldNode, source: unknown) {
    const type = getNamedType(field.type)
    if (!isObjectType(type) || !field.resolve) return
    const args = getArgumentValues(field, node, variables)
    // These resolvers read the schema and nothing else.
    const info = { schema } as Parameters<NonNullable<typeof field.resolve>>[3]
    const found: unknown = field.resolve(source, args, null, info)
    for (const value of Array.isArray(found) ? found : [found])
      if (value !== null && value !== undefined) countObject(type, value, node.selectionSet)
  }

  function countObject(type: GraphQLObjectType, value: unknown, selections?: SelectionSetNode) {
    objects += 1
    for (const node of fieldsOf(selections)) {
      if (objects > most) return
      const field = type.getFields()[node.name.value]
      if (field) countField(field, node, value)
    }
  }

  for (const node of fieldsOf(operation.selectionSet)) {
    const field = META_FIELDS.get(node.name.value)
    if (field) countField(field, node, undefined)
  }
  return objects
}
