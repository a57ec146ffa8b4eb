import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { invalidFields } from '../../domain/error/serviceError.ts'
import { type Route, takesBody } from './route.ts'

function describe(issue: z.core.$ZodIssue, input: Record<string, unknown>): string {
  const value = input[String(issue.path[0])]
  if (value === undefined) return 'required'
  if (Array.isArray(value)) return 'given more than once'
  if (issue.code === 'invalid_type') return `expected a ${issue.expected}`
  return issue.message
}

/**
 * The raw path and query parameters, strings unless given more than once; of a request with a body its
 * fields in place of the query.
 */
export function inputOf({ method, query, params, body }: FastifyRequest): Record<string, unknown> {
  const isGiven = takesBody({ method: method as Route['method'] })
  // What is no object has no fields; `refuseOtherBody` names it.
  const given = isGiven ? (isObject(body) ? body : {}) : (query as object)
  return { ...given, ...(params as object) }
}

function isObject(body: unknown): body is Record<string, unknown> {
  return typeof body === 'object' && body !== null && !Array.isArray(body)
}

function refuseOtherBody({ method, body }: FastifyRequest) {
  if (!takesBody({ method: method as Route['method'] }) || isObject(body)) return
  throw invalidFields([{ field: 'body', description: 'expected a JSON object' }])
}

/**
 * The parameters of a request; unknown ones are ignored. Throws one `INVALID_FIELD` that names every
 * bad parameter, or `body` where that is no object.
 */
export function parseParams<Shape extends z.ZodRawShape>(
  params: z.ZodObject<Shape>,
  request: FastifyRequest,
): z.output<z.ZodObject<Shape>> {
  refuseOtherBody(request)
  const input = inputOf(request)
  const result = params.safeParse(input)
  if (result.success) return result.data
  throw invalidFields(
    result.error.issues.map((issue) => ({
      field: issue.path.join('.'),
      description: describe(issue, input),
    })),
  )
}

/** Those of the parameters that are given and well-formed. */
export function parsePartly<Shape extends z.ZodRawShape>(
  params: z.ZodObject<Shape>,
  input: Record<string, unknown>,
): Partial<z.output<z.ZodObject<Shape>>> {
  const parsed = Object.entries<z.core.$ZodType>(params.shape).flatMap(([name, param]) => {
    const result = input[name] === undefined ? null : z.safeParse(param, input[name])
    return result?.success ? [[name, result.data]] : []
  })
  return Object.fromEntries(parsed)
}
