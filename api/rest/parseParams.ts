import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { invalidFields } from '../../domain/error/serviceError.ts'

function describe(issue: z.core.$ZodIssue, input: Record<string, unknown>): string {
  const value = input[String(issue.path[0])]
  if (value === undefined) return 'required'
  if (Array.isArray(value)) return 'given more than once'
  return issue.message
}

/** The raw path and query parameters, strings unless given more than once. */
export function inputOf({ query, params }: FastifyRequest): Record<string, unknown> {
  return { ...(query as object), ...(params as object) }
}

/**
 * The path and query parameters of a request; unknown ones are ignored. Throws one `INVALID_FIELD`
 * that names every bad parameter.
 */
export function parseParams<Shape extends z.ZodRawShape>(
  params: z.ZodObject<Shape>,
  request: FastifyRequest,
): z.output<z.ZodObject<Shape>> {
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
