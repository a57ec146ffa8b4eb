import type {
  JsonSchema,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
} from './openApiDocument.ts'
import { standaloneSchema } from './standaloneSchema.ts'

export type ApiTool = {
  /** The operation's id. */
  name: string
  title: string
  description: string
  path: string
  inputSchema: JsonSchema
  outputSchema: JsonSchema
}

/** A tool for every operation of the document that only reads or prepares, and that an API key may call. */
export function toolsOf({ paths, components }: OpenApiDocument): ApiTool[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const answer = operation.responses['200']?.content?.['application/json']
      if (!isSafe(method) || !answer || isForPeople(operation)) return []
      const { operationId: name, summary: title, description } = operation
      const outputSchema = standaloneSchema(answer.schema, components.schemas, {
        withPatterns: false,
      })
      return [{ name, title, description, path, inputSchema: inputOf(operation), outputSchema }]
    }),
  )
}

/**
 * Safe in the sense of HTTP: the method changes nothing. The API prepares transactions by GET too; whatever stores,
 * signs for the caller or manages is a POST, PATCH or DELETE.
 */
function isSafe(method: string): boolean {
  return method === 'get'
}

/** No API key has these permissions: they are of people who are signed in to the console. */
const OF_PEOPLE = ['admin', 'members']

function isForPeople({ security = [] }: OpenApiOperation): boolean {
  return security.some(({ apiKey = [] }) => apiKey.some((scope) => OF_PEOPLE.includes(scope)))
}

function inputOf({ parameters = [] }: OpenApiOperation): JsonSchema {
  // Headers are about the transport: entity tags and content types.
  const given = parameters.filter(
    (parameter) => parameter.in === 'query' || parameter.in === 'path',
  )
  return {
    type: 'object',
    properties: Object.fromEntries(
      given.map((parameter) => [parameter.name, inputField(parameter)]),
    ),
    required: given.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  }
}

function inputField({ schema, description }: OpenApiParameter): JsonSchema {
  return { ...standaloneSchema(schema, {}), ...(description ? { description } : {}) }
}
