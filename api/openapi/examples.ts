import { readdirSync, readFileSync } from 'node:fs'
import type { JsonSchema } from '../rest/jsonSchema.ts'
import { routes } from '../rest/routes.ts'
import { parameters } from './parameters.ts'

/** A file of docs/examples: a request and its answer. */
type Example = {
  request: string
  /** Only for requests with a body. */
  requestBody?: Record<string, unknown>
  status: number
  body: unknown
}

const folder = new URL('../../docs/examples/', import.meta.url)

/** Every example by its file name: `<operationId>`, for an error `<operationId>.<status>`. */
const examples = new Map<string, Example>(
  readdirSync(folder)
    .sort()
    .map((file) => [
      file.replace(/\.json$/, ''),
      JSON.parse(readFileSync(new URL(file, folder), 'utf8')),
    ]),
)

/** The parameters of an operation's successful example, by name; numbers where their schema is one. */
export function exampleParameters(operationId: string): Record<string, unknown> {
  const route = routes.find((one) => one.operationId === operationId)
  const example = examples.get(operationId)
  if (!route || !example) return {}
  const { pathname, searchParams } = new URL(
    example.request.split(' ')[1] ?? '',
    'http://localhost',
  )
  const pattern = route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
  const inPath = new RegExp(`^${pattern}$`).exec(pathname)?.groups
  const texts = Object.entries({ ...Object.fromEntries(searchParams), ...inPath })
  const schemas = new Map(parameters(route).map(({ name, schema }) => [name, schema as JsonSchema]))
  const inRequestLine = texts.map(([name, text]) => {
    const type = schemas.get(name)?.type
    return [name, type === 'integer' || type === 'number' ? Number(text) : text]
  })
  return { ...Object.fromEntries(inRequestLine), ...example.requestBody }
}

/** The operation with the values of docs/examples, as `example`. */
export function withExamples(operation: JsonSchema, operationId: string): JsonSchema {
  const given = exampleParameters(operationId)
  const parameters = (operation.parameters as JsonSchema[]).map((parameter) => {
    const example = given[String(parameter.name)]
    return example === undefined ? parameter : { ...parameter, example }
  })
  const responses = Object.entries(operation.responses as Record<string, JsonSchema>).map(
    ([status, response]) => {
      const suffix = status === '200' ? '' : `.${status}`
      const example = examples.get(`${operationId}${suffix}`)?.body
      return [status, example === undefined ? response : withBody(response, example)]
    },
  )
  const sent = examples.get(operationId)?.requestBody
  const requestBody = operation.requestBody as JsonSchema | undefined
  return {
    ...operation,
    parameters,
    ...(requestBody && { requestBody: sent ? withBody(requestBody, sent) : requestBody }),
    responses: Object.fromEntries(responses),
  }
}

/** Adds an example to a response or a request body. */
function withBody(response: JsonSchema, example: unknown): JsonSchema {
  const content = response.content as { 'application/json': JsonSchema }
  return {
    ...response,
    content: { ...content, 'application/json': { ...content['application/json'], example } },
  }
}
