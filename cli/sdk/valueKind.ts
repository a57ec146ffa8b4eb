import type { JsonSchema } from '../../api/rest/jsonSchema.ts'

/** The values of the API that the SDK shows as a JavaScript type of their own. */
export type ValueKind = 'amount' | 'date' | 'unixTime' | 'address' | 'hash' | 'flag'

const BY_PATTERN: Record<string, ValueKind> = {
  '^[0-9]+$': 'amount',
  '^0x[0-9a-fA-F]{40}$': 'address',
  '^0x[0-9a-fA-F]{64}$': 'hash',
  '^0x[0-9a-f]{64}$': 'hash',
}

/** The kind of a leaf of the OpenAPI document; null if it stays what it is in JSON. */
export function valueKind(schema: JsonSchema): ValueKind | null {
  if (schema.format === 'date-time') return 'date'
  if (schema.format === 'unix-time') return 'unixTime'
  if (Array.isArray(schema.enum)) return schema.enum.join() === 'true,false' ? 'flag' : null
  return typeof schema.pattern === 'string' ? (BY_PATTERN[schema.pattern] ?? null) : null
}

/** Whether a schema of JSON Schema's `type` list also takes null. */
export function isNullable({ type }: JsonSchema): boolean {
  return Array.isArray(type) && type.includes('null')
}
