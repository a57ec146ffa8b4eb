export type JsonSchema = { [keyword: string]: unknown }

/** An object with these properties, of which only the `optional` ones may be missing. */
export function object(
  properties: Record<string, JsonSchema>,
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', required, properties }
}

/** This schema, which also accepts null. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema
  const orNullToo = Array.isArray(values) && { enum: [...values, null] }
  return typeof type === 'string'
    ? { ...schema, type: [type, 'null'], ...orNullToo }
    : { anyOf: [schema, { type: 'null' }] }
}
