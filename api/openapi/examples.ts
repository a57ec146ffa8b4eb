import { readdirSync, readFileSync } from 'node:fs'
import type { Route } from '../rest/route.ts'
import type { JsonSchema } from './jsonSchema.ts'

/** What a file of docs/examples holds: a request as it was sent and what was answered to it. */
type Example = { request: string; status: number; body: unknown }

const folder = new URL('../../docs/examples/', import.meta.url)

/** Every example by its file's name: `<operationId>` or, of an error, `<operationId>.<status>`. */
function readExamples(): Map<string, Example> {
  return new Map(
    readdirSync(folder)
      .sort()
      .map((file) => [
        file.replace(/\.json$/, ''),
        JSON.parse(readFileSync(new URL(file, folder), 'utf8')),
      ]),
  )
}

/** The values of the parameters in the request of a successful example, by name. */
function givenParameters({ request }: Example, { path }: Pick<Route, 'path'>) {
  const { pathname, searchParams } = new URL(request.split(' ')[1] ?? '', 'http://127.0.0.1')
  const pattern = path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
  const inPath = new RegExp(`^${pattern}$`).exec(pathname)?.groups
  return { ...Object.fromEntries(searchParams), ...inPath }
}

/** The value as JSON, where the parameter's schema has it as a number. */
function asDescribed(value: string, { type }: JsonSchema): string | number {
  return type === 'integer' || type === 'number' ? Number(value) : value
}

/** Puts docs/examples into the operations that they were asked of, as `example`. */
export function createExampleWriter(): (operation: JsonSchema, route: Route) => JsonSchema {
  const examples = readExamples()
  return (operation, route) => {
    const asked = examples.get(route.operationId)
    const given = asked ? givenParameters(asked, route) : {}
    const parameters = (operation.parameters as JsonSchema[]).map((parameter) => {
      const value = given[String(parameter.name)]
      if (value === undefined) return parameter
      return { ...parameter, example: asDescribed(value, parameter.schema as JsonSchema) }
    })
    const responses = Object.entries(operation.responses as Record<string, JsonSchema>).map(
      ([status, response]) => {
        const suffix = status === '200' ? '' : `.${status}`
        const example = examples.get(`${route.operationId}${suffix}`)?.body
        return [status, example === undefined ? response : withExample(response, example)]
      },
    )
    return { ...operation, parameters, responses: Object.fromEntries(responses) }
  }
}

function withExample(response: JsonSchema, example: unknown): JsonSchema {
  const content = response.content as { 'application/json': JsonSchema }
  return {
    ...response,
    content: { 'application/json': { ...content['application/json'], example } },
  }
}
