import { z } from 'zod'
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

/** A route's path and query parameters as OpenAPI parameter objects, path first. */
export function parameters({ path, params }: Pick<Route, 'path' | 'params'>): JsonSchema[] {
  const all = Object.entries(params.shape as Record<string, z.ZodType>).map(([name, param]) => {
    const isInPath = path.includes(`{${name}}`)
    return {
      name,
      in: isInPath ? 'path' : 'query',
      required: isInPath || !param.safeParse(undefined).success,
      ...(param.description && { description: param.description }),
      schema: jsonSchema(param),
    }
  })
  return [...all.filter((one) => one.in === 'path'), ...all.filter((one) => one.in === 'query')]
}
