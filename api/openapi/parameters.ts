import { takesBody } from '../http/takesBody.ts'
import type { JsonSchema } from '../rest/jsonSchema.ts'
import type { Route } from '../rest/route.ts'

type Described = Pick<Route, 'method' | 'parameters'>

/** A route's JSON body as an OpenAPI schema: the parameters outside its path. Null if it has none. */
export function bodySchema(route: Described): JsonSchema | null {
  if (!takesBody(route)) return null
  const fields = route.parameters.filter((parameter) => parameter.in === 'body')
  return {
    type: 'object',
    required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    properties: Object.fromEntries(
      fields.map(({ name, schema, description }) => [name, { ...schema, description }]),
    ),
    additionalProperties: false,
  }
}

/** A route's path and query parameters as OpenAPI parameter objects, path first. */
export function parameters({ parameters: all }: Described): JsonSchema[] {
  return (['path', 'query'] as const).flatMap((place) =>
    all
      .filter((parameter) => parameter.in === place)
      .map(({ name, isRequired, description, schema, argument }) => {
        const filterKeys = argument?.extensions.filterKeys
        return {
          name,
          in: place,
          required: place === 'path' || isRequired,
          description,
          // A list is one text with commas.
          ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
          schema,
          // The keys of the filter language with their types, from which clients build typed filters.
          ...(filterKeys ? { 'x-filter-keys': filterKeys } : {}),
        }
      }),
  )
}
