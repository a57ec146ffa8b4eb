import { type GraphQLArgument, getNamedType, isEnumType, isRequiredArgument } from 'graphql'
import { z } from 'zod'
import { takesBody } from '../http/takesBody.ts'
import type { JsonSchema } from './jsonSchema.ts'
import { bodyType, textType } from './parameterTypes.ts'

/** The parts of a route that, with the arguments of its root field, decide its parameters. */
export type ParameterSource = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The path, with `{name}` for each path parameter, as in OpenAPI. */
  path: string
  /** The REST names of arguments that have another name in GraphQL. */
  renamed?: Record<string, string>
  /** Parameters that GraphQL does not need. Each is optional. */
  restOnly?: Record<string, z.ZodType>
  /** The argument that they precede in the published document; without it they come last. */
  restOnlyBefore?: string
}

/** One parameter of a route. */
export type Parameter = {
  name: string
  in: 'path' | 'query' | 'body'
  /** The argument of the root field; null where only REST has the parameter. */
  argument: GraphQLArgument | null
  isRequired: boolean
  description: string
  schema: JsonSchema
  /** Returns the value as a variable of the route's document. */
  parser: z.ZodType
}

/** The parameters of a route: the arguments of its root field and those of `restOnly`. */
export function parametersOf(
  { method, path, renamed = {}, restOnly = {}, restOnlyBefore }: ParameterSource,
  args: readonly GraphQLArgument[],
): Parameter[] {
  const placeOf = (name: string) =>
    path.includes(`{${name}}`) ? 'path' : takesBody({ method }) ? 'body' : 'query'
  const fromArguments = args.map((argument): Parameter => {
    const name = renamed[argument.name] ?? argument.name
    const place = placeOf(name)
    return {
      name,
      in: place,
      argument,
      isRequired: isRequiredArgument(argument),
      description: argument.description ?? '',
      schema: argumentSchema(argument, place),
      parser: place === 'body' ? bodyType(argument) : textType(argument),
    }
  })
  const others = Object.entries(restOnly).map(([name, type]): Parameter => {
    return {
      name,
      in: placeOf(name),
      argument: null,
      isRequired: false,
      description: type.description ?? '',
      schema: jsonSchema(type),
      parser: type,
    }
  })
  const at = args.findIndex(({ name }) => name === restOnlyBefore)
  return fromArguments.toSpliced(at < 0 ? args.length : at, 0, ...others)
}

function argumentSchema(argument: GraphQLArgument, place: Parameter['in']): JsonSchema {
  const isFlag = place !== 'body' && getNamedType(argument.type).name === 'Boolean'
  const schema = {
    ...jsonSchema(isFlag ? textType(argument) : bodyType(argument)),
    ...(argument.extensions.described as JsonSchema | undefined),
  }
  if (argument.defaultValue === undefined) return schema
  const type = getNamedType(argument.type)
  const value = isEnumType(type) ? type.serialize(argument.defaultValue) : argument.defaultValue
  return { default: isFlag ? String(value) : value, ...schema }
}

function jsonSchema(type: z.ZodType): JsonSchema {
  const options = { target: 'draft-2020-12', unrepresentable: 'any' } as const
  // The output schema shows more (an integer and its bounds), unless a transform hides it.
  const output = z.toJSONSchema(type, { ...options, io: 'output' })
  const input = z.toJSONSchema(type, { ...options, io: 'input' })
  const { $schema: _, description: __, ...schema } = 'type' in output ? output : input
  return schema
}
