import type { JsonSchema } from './openApiDocument.ts'

type Member = { properties: Record<string, { const?: unknown }> }

const COMPONENT = '#/components/schemas/'

/**
 * A schema of the document that needs nothing else of it: the components that it refers to are in `$defs`. Keywords that
 * only OpenAPI knows are left out, and patterns of texts without `withPatterns`. Of a choice by a discriminator, such as
 * the bodies of events, only what all of its members have is written: two dozen schemas would be a quarter of all tools.
 */
export function standaloneSchema(
  schema: JsonSchema,
  components: Record<string, JsonSchema>,
  { withPatterns = true } = {},
): JsonSchema {
  const definitions: Record<string, unknown> = {}
  const written = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(written)
    if (typeof value !== 'object' || value === null) return value
    if ('discriminator' in value && 'oneOf' in value) return written(shared(value.oneOf))
    const kept = Object.entries(value)
      .filter(isJsonSchema)
      .filter(([key, inner]) => withPatterns || key !== 'pattern' || typeof inner !== 'string')
    return Object.fromEntries(kept.map(([key, inner]) => [key, resolved(key, inner)]))
  }
  const membersOf = (one: { $ref: string }) => {
    const { properties } = components[one.$ref.slice(COMPONENT.length)] as Member
    return properties
  }
  const shared = (members: unknown): JsonSchema => {
    // The document's discriminated choices are references to objects.
    const [first = {}, ...others] = (members as { $ref: string }[]).map(membersOf)
    const common = Object.entries(first).filter(([name]) => others.every((one) => name in one))
    const types = [first, ...others].map(({ type }) => type?.const)
    const type = { ...first.type, const: undefined, enum: types }
    return { type: 'object', properties: { ...Object.fromEntries(common), type } }
  }
  const resolved = (key: string, value: unknown) => {
    if (key !== '$ref' || typeof value !== 'string') return written(value)
    const name = value.slice(COMPONENT.length)
    if (!(name in definitions)) {
      // Before its own references are read: a component may refer to itself.
      definitions[name] = null
      definitions[name] = written(components[name])
    }
    return `#/$defs/${name}`
  }
  const { $ref } = schema
  // The root has to show its own type.
  const root = typeof $ref === 'string' ? components[$ref.slice(COMPONENT.length)] : schema
  const body = written(root) as JsonSchema
  return Object.keys(definitions).length > 0 ? { ...body, $defs: definitions } : body
}

function isJsonSchema([key, value]: [string, unknown]): boolean {
  if (key === 'format') return value !== 'unix-time'
  return !((key === 'example' || key === 'discriminator') && value !== null)
}
