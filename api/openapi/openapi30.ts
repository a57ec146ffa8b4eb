import type { JsonSchema } from '../rest/jsonSchema.ts'

type Schemas = Record<string, JsonSchema>

/**
 * The same document in OpenAPI 3.0, for generators that do not read 3.1. It lacks what 3.0 cannot say: which webhooks
 * there are (their schemas are left), and the identifier of the license.
 */
export function toOpenapi30(document: JsonSchema): JsonSchema {
  const { openapi: _, webhooks: __, info, ...rest } = document
  // Casts, because the types of the document's parts are not known here.
  const { license, ...about } = info as JsonSchema
  const { identifier, ...named } = license as JsonSchema
  const { schemas } = rest.components as { schemas: Schemas }
  return {
    openapi: '3.0.3',
    info: {
      ...about,
      license: { ...named, url: `https://spdx.org/licenses/${identifier}.html` },
    },
    ...(convert(rest, schemas) as JsonSchema),
  }
}

function convert(value: unknown, schemas: Schemas): unknown {
  if (Array.isArray(value)) return value.map((part) => convert(part, schemas))
  if (!isNode(value)) return value
  const node = Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      isValue(name, part) ? part : convert(part, schemas),
    ]),
  )
  return withoutSiblings(withNullable(withInt64(withEnum(node)), schemas))
}

function isNode(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null
}

/** An example is no schema, unless it is a property of this name. */
function isValue(name: string, part: unknown): boolean {
  return ['example', 'examples', 'default'].includes(name) && !(isNode(part) && 'type' in part)
}

function withEnum(node: JsonSchema): JsonSchema {
  const { const: only, ...others } = node
  const isConstant = typeof only === 'string' || typeof only === 'boolean'
  return isConstant ? { type: typeof only, ...others, enum: [only] } : node
}

/** Generators take an integer without a format for one of 32 bits, which ends in 2038. */
function withInt64(node: JsonSchema): JsonSchema {
  const { type, format, maximum } = node
  const isInteger = [type].flat().includes('integer')
  const isLong = format === 'unix-time' || Number(maximum) > 2 ** 31 - 1
  return isInteger && isLong ? { ...node, format: 'int64' } : node
}

function withNullable(node: JsonSchema, schemas: Schemas): JsonSchema {
  const { type, anyOf, ...others } = node
  if (Array.isArray(type)) {
    const [only] = type.filter((name) => name !== 'null')
    return { ...node, type: only, nullable: true }
  }
  const [given, none] = Array.isArray(anyOf) ? anyOf : []
  if (!isNode(given) || !isNode(none) || none.type !== 'null') return node
  const referred = schemas[String(given.$ref).split('/').at(-1) ?? '']
  return { ...others, type: referred?.type ?? 'object', nullable: true, allOf: [given] }
}

/** 3.0 ignores what stands beside a reference. */
function withoutSiblings(node: JsonSchema): JsonSchema {
  const { $ref, ...others } = node
  if (typeof $ref !== 'string' || Object.keys(others).length === 0) return node
  return { ...others, allOf: [{ $ref }] }
}
