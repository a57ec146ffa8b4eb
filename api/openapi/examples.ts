import { readdirSync, readFileSync } from 'node:fs'
import { routes } from '../rest/routes.ts'
import type { JsonSchema } from './jsonSchema.ts'
import { parameters } from './parameters.ts'

/** What a file of docs/examples holds: a request as it was sent and what was answered to it. */
type Example = {
  request: string
  /** Of a request that has one. */
  requestBody?: Record<string, string | number>
  status: number
  body: unknown
}

const folder = new URL('../../docs/examples/', import.meta.url)

/** Every example by its file's name: `<operationId>` or, of an error, `<operationId>.<status>`. */
const examples = new Map<string, Example>(
  readdirSync(folder)
    .sort()
    .map((file) => [
      file.replace(/\.json$/, ''),
      JSON.parse(readFileSync(new URL(file, folder), 'utf8')),
    ]),
)

/** The parameters of an operation's successful example, by name; numbers where they are described so. */
export function exampleParameters(operationId: string): Record<string, string | number> {
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

/** Also of a request. */
function withBody(response: JsonSchema, example: unknown): JsonSchema {
  const content = response.content as { 'application/json': JsonSchema }
  return {
    ...response,
    content: { 'application/json': { ...content['application/json'], example } },
  }
}
