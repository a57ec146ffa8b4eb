import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { invalidFields } from '../../domain/error/serviceError.ts'
import { takesBody } from '../http/takesBody.ts'

function describe(issue: z.core.$ZodIssue, request: FastifyRequest): string {
  const value = inputOf(request)[String(issue.path[0])]
  if (value === undefined) return 'required'
  // In a body it is a list.
  if (Array.isArray(value) && !takesBody(request)) return 'given more than once'
  return issue.message
}

/** Of what has no words of its own for a value of another type. */
function ofAnotherType(issue: z.core.$ZodRawIssue): string | undefined {
  return issue.code === 'invalid_type' ? `expected a ${issue.expected}` : undefined
}

/**
 * The raw path and query parameters, strings unless given more than once; of a request with a body its
 * fields in place of the query.
 */
export function inputOf(request: FastifyRequest): Record<string, unknown> {
  const { query, params, body } = request
  // What is no object has no fields; `refuseOtherBody` names it.
  const given = takesBody(request) ? (isObject(body) ? body : {}) : (query as object)
  return { ...given, ...(params as object) }
}

function isObject(body: unknown): body is Record<string, unknown> {
  return typeof body === 'object' && body !== null && !Array.isArray(body)
}

function refuseOtherBody(request: FastifyRequest) {
  if (!takesBody(request) || isObject(request.body)) return
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
  const result = params.safeParse(inputOf(request), { error: ofAnotherType })
  if (result.success) return result.data
  throw invalidFields(
    result.error.issues.map((issue) => ({
      field: issue.path.join('.'),
      description: describe(issue, request),
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
