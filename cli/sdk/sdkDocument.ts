import { type JsonSchema, orNull } from '../../api/rest/jsonSchema.ts'
import { componentName, operationsOf, schemasOf } from './openApi.ts'
import { isNullable, type ValueKind, valueKind } from './valueKind.ts'

/** The components that stand for values, with the TypeScript type of each. `sdkTypes` writes them. */
export const VALUE_TYPES = {
  Amount: 'bigint',
  Time: 'Date',
  TimeInput: 'Date | number | bigint',
  Address: 'Address',
  Hash: 'Hash',
  Flag: 'boolean',
}

type Place = 'input' | 'output' | 'event'
type ValueType = keyof typeof VALUE_TYPES

const OUTPUT: Partial<Record<ValueKind, ValueType>> = {
  amount: 'Amount',
  date: 'Time',
  unixTime: 'Time',
  address: 'Address',
  hash: 'Hash',
}

/** The component of each kind of value. Events are shown as they are sent, so their values stay text. */
const COMPONENTS: Record<Place, Partial<Record<ValueKind, ValueType>>> = {
  input: { ...OUTPUT, unixTime: 'TimeInput', flag: 'Flag' },
  output: OUTPUT,
  event: { address: 'Address', hash: 'Hash' },
}

/** Parts of a document that only its readers need. */
const OMITTED = ['example', 'examples', 'default', 'headers', 'x-filter-keys']

type Schemas = Record<string, JsonSchema>
type Alternatives = { oneOf: { $ref: string }[] }

/**
 * The OpenAPI document as the SDK's types show it: amounts, times and addresses are references to components
 * of their own, and the metadata of an error have only the declared keys.
 */
export function sdkDocument(document: JsonSchema): JsonSchema {
  const schemas = schemasOf(document)
  const clash = Object.keys(VALUE_TYPES).find((name) => name in schemas)
  if (clash) throw new Error(`Invariant(sdkDocument): the document has a component ${clash}`)
  const events = eventComponents(document)
  const infos = alternatives(schemas.ErrorInfo)
  const bodies = requestBodies(document)
  const components = Object.entries(schemas).map(([name, schema]) => {
    const place = events.has(name) ? 'event' : bodies.has(name) ? 'input' : 'output'
    return [name, shown(infos.includes(name) ? withoutOtherMetadata(schema) : schema, place)]
  })
  const values = Object.keys(VALUE_TYPES).map((name) => [name, { type: 'string' }])
  return {
    openapi: document.openapi,
    info: document.info,
    paths: shown(document.paths, 'output'),
    components: { schemas: Object.fromEntries([...components, ...values]) },
  }
}

/** The components of webhook events, whose values the SDK leaves as they are sent. */
export function eventComponents(document: JsonSchema): Set<string> {
  return new Set(['EventBody', ...alternatives(schemasOf(document).EventBody)])
}

function alternatives(schema: JsonSchema | undefined): string[] {
  return (schema as Alternatives).oneOf.map(({ $ref }) => componentName($ref))
}

function requestBodies(document: JsonSchema): Set<string> {
  const bodies = operationsOf(document).map(({ requestBody }) => requestBody)
  const found = JSON.stringify(bodies).matchAll(/"#\/components\/schemas\/(\w+)"/g)
  return new Set([...found].map(([, name = '']) => name))
}

function shown(value: unknown, place: Place): unknown {
  if (Array.isArray(value)) return value.map((item) => shown(item, place))
  if (typeof value !== 'object' || value === null) return value
  const schema = value as JsonSchema
  const kind = valueKind(schema)
  const component = kind && COMPONENTS[place][kind]
  if (component) return reference(component, schema)
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !OMITTED.includes(key))
      .map(([key, part]) => [key, within(key, part)]),
  )

  function within(key: string, part: unknown) {
    if (key === 'properties') return properties(part, place)
    // Every other answer is an error, which has one type for all operations.
    if (key === 'responses') return shown({ 200: (part as Schemas)['200'] }, place)
    return shown(part, key === 'parameters' || key === 'requestBody' ? 'input' : place)
  }
}

/** The names of properties are the API's own: none of them is a keyword. */
function properties(parts: unknown, place: Place): unknown {
  return Object.fromEntries(
    Object.entries(parts as Schemas).map(([name, part]) => [name, shown(part, place)]),
  )
}

function reference(component: string, schema: JsonSchema): JsonSchema {
  const { description } = schema
  const target = { $ref: `#/components/schemas/${component}` }
  return {
    ...(isNullable(schema) ? orNull(target) : target),
    ...(description ? { description } : {}),
  }
}

function withoutOtherMetadata(schema: JsonSchema): JsonSchema {
  const { metadata, ...others } = (schema.properties ?? {}) as Schemas
  if (!metadata) return schema
  const { additionalProperties: _, ...declared } = metadata
  return { ...schema, properties: { ...others, metadata: declared } }
}
