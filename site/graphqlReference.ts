import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql'
import { table } from './table.ts'

const ROOTS = ['Query', 'Mutation', 'Subscription']

/** One page for the GraphQL schema: its root fields, then its types. */
export function graphqlReference(): { path: string; text: string } {
  const sdl = readFileSync(join(import.meta.dirname, '../schema/schema.graphql'), 'utf8')
  const types = Object.values(buildSchema(sdl).getTypeMap()).filter(
    ({ name }) => !name.startsWith('__'),
  )
  const roots = types.filter(({ name }) => ROOTS.includes(name))
  const rest = types.filter(({ name }) => !ROOTS.includes(name))
  const sorted = rest.sort((one, other) => one.name.localeCompare(other.name))
  const text = `# GraphQL\n\nEvery REST operation is a field of this schema, under the same names.\n\n${[...roots, ...sorted].map(describe).join('\n')}`
  return { path: 'reference/graphql', text }
}

function describe(type: GraphQLNamedType): string {
  return [`## ${type.name}\n`, `${type.description ?? ''}\n`, tableOf(type)].join('\n')
}

function tableOf(type: GraphQLNamedType): string {
  if (isEnumType(type))
    return table(
      ['value', 'type', 'meaning'],
      type.getValues().map(({ name, description }) => [`\`${name}\``, '', description]),
    )
  if (isObjectType(type) || isInterfaceType(type) || isInputObjectType(type))
    return table(['field', 'type', 'meaning'], Object.values(type.getFields()).map(rowOf))
  return ''
}

function rowOf(
  field: GraphQLField<unknown, unknown> | GraphQLInputField,
): (string | null | undefined)[] {
  const given = 'args' in field ? field.args : []
  const parameters = given.map(({ name, type }) => `${name}: ${type}`).join(', ')
  const head = parameters ? `${field.name}(${parameters})` : field.name
  return [`\`${head}\``, `\`${field.type}\``, field.description]
}
