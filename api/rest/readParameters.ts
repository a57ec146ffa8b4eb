import type { FastifyRequest } from 'fastify'
import { coerceInputValue } from 'graphql'
import { z } from 'zod'
import { issueViolations } from '../../domain/error/paramViolations.ts'
import { type FieldViolation, invalidFields } from '../../domain/error/serviceError.ts'
import { argumentCheck } from '../../schema/argumentChecks.ts'
import { rootField } from '../../schema/rootField.ts'
import { requestContextOf } from '../http/requestContext.ts'
import { takesBody } from '../http/takesBody.ts'
import { ignoredParameters, mistypedParameters, unknownFields } from '../http/unknownNames.ts'
import type { Parameter } from './parameters.ts'
import type { Route } from './route.ts'

type Values = Record<string, unknown>

/** The parameters of one request, parsed. */
export type Given = {
  /** By the names of the root field's arguments, as variables of the document. */
  variables: Values
  /** By name, with their defaults. */
  restOnly: Values
}

type Read = Pick<Route, 'field' | 'parameters' | 'limitClass'>

/**
 * The parameters of a request. Throws one `INVALID_FIELD` that names every bad parameter, including
 * those that only the domain refuses and those that are unknown, or `body` if that is no object.
 */
export function readParameters(route: Read, request: FastifyRequest): Given {
  const input = inputOf(request)
  const given: Given = { variables: {}, restOnly: {} }
  const misread = route.parameters.flatMap((parameter) => {
    const { value, violations } = parseParameter(parameter, input[parameter.name])
    if (value === undefined) return violations
    if (parameter.argument) given.variables[parameter.argument.name] = value
    else given.restOnly[parameter.name] = value
    return []
  })
  const malformed = [...misread, ...refusedNames(route, request)]
  if (malformed.length === 0) return given
  const named = new Set(malformed.map(({ field }) => field))
  const check = argumentCheck(rootField(route.field).field.extensions)
  const checked = { context: requestContextOf(request), named: input }
  const refused = check(argumentsOf(route, given.variables), checked)
  throw invalidFields([...malformed, ...refused.filter(({ field }) => !named.has(field))])
}

/**
 * Every unknown field of a body; in a query string, what is nearly the name of a parameter whose loss would change
 * calldata. Other unknown parameters are ignored, as specified.
 */
function refusedNames({ parameters, limitClass }: Read, request: FastifyRequest): FieldViolation[] {
  const namesIn = (place: Parameter['in']) =>
    parameters.flatMap((parameter) => (parameter.in === place ? [parameter.name] : []))
  if (takesBody(request)) return unknownFields(request.body, namesIn('body'))
  if (limitClass !== 'prepare') return []
  return mistypedParameters(request.query as Values, namesIn('query')) // Fastify's type of it is unknown.
}

/** The names of a query string that are no parameters of the route, such as a key of its filter. */
export function ignoredNames(
  { parameters }: Pick<Route, 'parameters'>,
  { query }: FastifyRequest,
): string[] {
  const known = parameters.flatMap(({ name, in: place }) => (place === 'query' ? [name] : []))
  return ignoredParameters(query as Values, known) // Fastify's type of it is unknown.
}

/** Variables as the resolver gets them, with the defaults of the arguments. */
export function argumentsOf({ parameters }: Pick<Route, 'parameters'>, variables: Values): Values {
  const values: Values = {}
  for (const { argument } of parameters) {
    if (!argument) continue
    const { name, type, defaultValue } = argument
    const value = variables[name]
    values[name] = value === undefined ? defaultValue : coerceInputValue(value, type)
  }
  return values
}

/** The raw values by name: of the path, and of the body or else the query string. */
function inputOf(request: FastifyRequest): Values {
  const { query, params, body } = request
  // Casts, because Fastify's type of them is unknown, and both are objects.
  if (!takesBody(request)) return { ...(query as Values), ...(params as Values) }
  if (isObject(body)) return { ...body, ...(params as Values) }
  throw invalidFields([{ field: 'body', description: 'expected a JSON object' }])
}

function isObject(body: unknown): body is Values {
  return typeof body === 'object' && body !== null && !Array.isArray(body)
}

type Parsed = { value?: unknown; violations: FieldViolation[] }

function parseParameter(parameter: Parameter, raw: unknown): Parsed {
  const { name, argument, isRequired, parser } = parameter
  const refused = (description: string) => ({ violations: [{ field: name, description }] })
  if (raw === undefined && isRequired) return refused('required')
  if (raw === undefined && argument) return { violations: [] }
  // A repeated name in a query string is parsed as a list.
  if (Array.isArray(raw) && parameter.in !== 'body') return refused('given more than once')
  const { data: value, error } = z.safeParse(parser, raw, { error: typeExpected })
  return error ? { violations: issueViolations(error, name) } : { value, violations: [] }
}

/** The message for a value of another type, where the parser has none of its own. */
function typeExpected(issue: z.core.$ZodRawIssue): string | undefined {
  return issue.code === 'invalid_type' ? `expected a ${issue.expected}` : undefined
}
