export type JsonSchema = { [keyword: string]: unknown }

/** This schema, which also accepts null. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema
  const orNullToo = Array.isArray(values) && { enum: [...values, null] }
  return typeof type === 'string'
    ? { ...schema, type: [type, 'null'], ...orNullToo }
    : { anyOf: [schema, { type: 'null' }] }
}
