import type { JsonSchema } from '../../api/rest/jsonSchema.ts'
import type { FilterKeys } from '../../domain/filter/filter.ts'

type Content = Record<string, { schema: JsonSchema }>

/** An operation of the OpenAPI document, as far as the SDK is made of it. */
export type Operation = {
  operationId: string
  description?: string
  parameters?: { name: string; in: string; schema: JsonSchema; 'x-filter-keys'?: FilterKeys }[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}

/** The operations of a document, with the path and the method of each. */
export function operationsOf({ paths }: JsonSchema) {
  return Object.entries(paths as Record<string, Record<string, Operation>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  )
}

/** The components of a document, by name. */
export function schemasOf({ components }: JsonSchema): Record<string, JsonSchema> {
  return (components as { schemas: Record<string, JsonSchema> }).schemas
}

/** `WithdrawalRequest` of `#/components/schemas/WithdrawalRequest`. */
export function componentName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

/** The properties of a schema, or of the component that it refers to. */
export function propertiesOf(
  schema: JsonSchema,
  schemas: Record<string, JsonSchema>,
): Record<string, JsonSchema> {
  const target = schema.$ref ? schemas[componentName(String(schema.$ref))] : schema
  return (target?.properties ?? {}) as Record<string, JsonSchema>
}
