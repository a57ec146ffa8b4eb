import { isDeepStrictEqual } from 'node:util'
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import { linkedFields } from '../../schema/resourceLink.ts'
import {
  type FieldCollector,
  fieldCollector,
  fragmentsOf,
  responseName,
} from '../graphql/fieldCollector.ts'
import { type JsonSchema, object, orNull } from '../rest/jsonSchema.ts'

const BUILT_IN: Record<string, JsonSchema> = {
  Boolean: { type: 'boolean' },
  Float: { type: 'number' },
  ID: { type: 'string' },
  Int: { type: 'integer' },
  String: { type: 'string' },
}

type Translation = {
  schema: GraphQLSchema
  fragments: ReadonlyMap<string, FragmentDefinitionNode>
  fieldsOf: FieldCollector
  /** Filled while translating: one entry per object, enum and JSON scalar of the answer. */
  components: Record<string, JsonSchema>
  /** Response names of the fields that an answer lacks where they are null. */
  optional: readonly string[]
}

function leafSchema(type: GraphQLOutputType, { components }: Translation): JsonSchema {
  if (isEnumType(type)) {
    const values = type.getValues().map(({ name }) => name)
    return component(components, type, { type: 'string', enum: values })
  }
  const declared = isScalarType(type) ? (type.extensions.jsonSchema ?? BUILT_IN[type.name]) : null
  if (!declared) throw new Error(`Invariant(openapi): ${type} carries no JSON Schema`)
  const schema = declared as JsonSchema
  const isModel = isScalarType(type) && schema.type === 'object'
  return isModel ? component(components, type, schema) : schema
}

/** Adds a component and returns a reference to it. One name has one schema in the whole document. */
function component(
  components: Record<string, JsonSchema>,
  { name, description }: { name: string; description?: string | null | undefined },
  schema: JsonSchema,
): JsonSchema {
  addComponent(components, name, { ...(description && { description }), ...schema })
  return { $ref: `#/components/schemas/${name}` }
}

/** Throws if the name has another schema: two selections of one type need a fragment each. */
export function addComponent(
  components: Record<string, JsonSchema>,
  name: string,
  schema: JsonSchema,
): void {
  const known = components[name]
  if (known && !isDeepStrictEqual(known, schema))
    throw new Error(`Invariant(openapi): ${name} is selected in two ways; name one by a fragment`)
  components[name] = schema
}

function typeSchema(
  type: GraphQLOutputType,
  selectionSet: SelectionSetNode | undefined,
  translation: Translation,
): JsonSchema {
  if (isNonNullType(type)) return requiredSchema(type.ofType, selectionSet, translation)
  return orNull(requiredSchema(type, selectionSet, translation))
}

function requiredSchema(
  type: GraphQLOutputType,
  selectionSet: SelectionSetNode | undefined,
  translation: Translation,
): JsonSchema {
  if (isNonNullType(type)) return requiredSchema(type.ofType, selectionSet, translation)
  if (isListType(type))
    return { type: 'array', items: typeSchema(type.ofType, selectionSet, translation) }
  if (isObjectType(type) && selectionSet) return objectSchema(type, selectionSet, translation)
  return leafSchema(type, translation)
}

function objectSchema(
  type: GraphQLObjectType,
  selectionSet: SelectionSetNode,
  translation: Translation,
): JsonSchema {
  const [only, ...others] = selectionSet.selections
  if (only?.kind === Kind.FRAGMENT_SPREAD && others.length === 0) {
    const name = only.name.value
    const fragment = translation.fragments.get(name)
    if (!fragment) throw new Error(`Invariant(openapi): no fragment ${name}`)
    return objectComponent(name, { type, selectionSet: fragment.selectionSet }, translation)
  }
  // A resource within another is shown without its links, so it is another model.
  const hasLinks = Object.values(type.getFields()).some((field) => linkedFields(field.extensions))
  const name = hasLinks ? `${type.name}Leg` : type.name
  return objectComponent(name, { type, selectionSet }, translation)
}

type Selected = { type: GraphQLObjectType; selectionSet: SelectionSetNode }

function objectComponent(
  name: string,
  { type, selectionSet }: Selected,
  translation: Translation,
): JsonSchema {
  const fields = translation.fieldsOf(selectionSet)
  const properties = fields.map((field) => {
    const definition = type.getFields()[field.name.value]
    if (!definition) throw new Error(`Invariant(openapi): ${type} has no ${field.name.value}`)
    const { description, deprecationReason } = definition
    // The same name may be of a field that is never null, in another type.
    const isOptional =
      !isNonNullType(definition.type) && translation.optional.includes(responseName(field))
    const schema = (isOptional ? requiredSchema : typeSchema)(
      definition.type,
      field.selectionSet,
      translation,
    )
    return {
      name: responseName(field),
      isRequired: !isOptional && !isConditional(field),
      schema: {
        ...schema,
        ...(description && { description }),
        ...(deprecationReason && { deprecated: true }),
      },
    }
  })
  const { description } = type
  return component(
    translation.components,
    { name, description },
    {
      type: 'object',
      required: properties.filter(({ isRequired }) => isRequired).map((property) => property.name),
      properties: Object.fromEntries(
        properties.map((property) => [property.name, property.schema]),
      ),
    },
  )
}

/** Whether a variable decides if the answer has the field. */
function isConditional({ directives = [] }: FieldNode): boolean {
  return directives.some(({ name }) => name.value === 'include')
}

/**
 * The JSON Schema of a route's answer, and the components it refers to. Root fields are
 * never null in an answer: a null root is an error.
 */
export function selectionSchemas(
  schema: GraphQLSchema,
  document: DocumentNode,
  optional: readonly string[] = [],
): { body: JsonSchema; components: Record<string, JsonSchema> } {
  const fragments = fragmentsOf(document)
  const fieldsOf = fieldCollector(document)
  const translation = { schema, fragments, fieldsOf, components: {}, optional }

  const operation = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION)
  const root =
    operation?.kind === Kind.OPERATION_DEFINITION && schema.getRootType(operation.operation)
  if (!root) throw new Error('Invariant(openapi): a stored document without an operation')
  const roots = fieldsOf(operation.selectionSet).map((field) => {
    const type = root.getFields()[field.name.value]?.type
    if (!type) throw new Error(`Invariant(openapi): no root field ${field.name.value}`)
    return [responseName(field), requiredSchema(type, field.selectionSet, translation)] as const
  })
  const properties = Object.fromEntries(roots)
  const body = properties.body ?? object(properties)
  return { body, components: translation.components }
}
