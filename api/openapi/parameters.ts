import { z } from 'zod'
import { takesBody } from '../http/takesBody.ts'
import type { Route } from '../rest/route.ts'
import type { JsonSchema } from './jsonSchema.ts'

function jsonSchema(param: z.ZodType): JsonSchema {
  const options = { target: 'draft-2020-12', unrepresentable: 'any' } as const
  // What comes out of parsing says more (an integer and its bounds), unless a transform hides it.
  const output = z.toJSONSchema(param, { ...options, io: 'output' })
  const input = z.toJSONSchema(param, { ...options, io: 'input' })
  const { $schema: _, description: __, ...rest } = 'type' in output ? output : input
  return rest
}

type Described = Pick<Route, 'method' | 'path' | 'params'>

function isInPath({ path }: Described, name: string): boolean {
  return path.includes(`{${name}}`)
}

function paramsOf({ params }: Described): [name: string, param: z.ZodType][] {
  return Object.entries(params.shape as Record<string, z.ZodType>)
}

/** A route's JSON body as an OpenAPI schema: what is not in its path. Null where it has none. */
export function bodySchema(route: Described): JsonSchema | null {
  if (!takesBody(route)) return null
  const fields = paramsOf(route).filter(([name]) => !isInPath(route, name))
  const isRequired = ([, param]: [string, z.ZodType]) => !param.safeParse(undefined).success
  return {
    type: 'object',
    required: fields.filter(isRequired).map(([name]) => name),
    properties: Object.fromEntries(
      fields.map(([name, param]) => [
        name,
        { ...jsonSchema(param), ...(param.description && { description: param.description }) },
      ]),
    ),
  }
}

/** A route's path and query parameters as OpenAPI parameter objects, path first. */
export function parameters(route: Described): JsonSchema[] {
  const inRequestLine = paramsOf(route).filter(
    ([name]) => isInPath(route, name) || !takesBody(route),
  )
  const all = inRequestLine.map(([name, param]) => {
    return {
      name,
      in: isInPath(route, name) ? 'path' : 'query',
      required: isInPath(route, name) || !param.safeParse(undefined).success,
      ...(param.description && { description: param.description }),
      schema: jsonSchema(param),
    }
  })
  return [...all.filter((one) => one.in === 'path'), ...all.filter((one) => one.in === 'query')]
}
