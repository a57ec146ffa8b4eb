import { type GraphQLField, type GraphQLObjectType, getNamedType, isObjectType } from 'graphql'

/** An operation with one root field and everything below it. `given` are its arguments, as GraphQL writes them. */
export function selectAll(
  field: GraphQLField<unknown, unknown>,
  given: Record<string, string>,
): string {
  const named = Object.entries(given).map(([name, value]) => `${name}: ${value}`)
  const type = getNamedType(field.type)
  const selection = isObjectType(type) ? selectionOf(type) : ''
  return `{ ${field.name}${named.length > 0 ? `(${named.join(', ')})` : ''} ${selection} }`
}

function selectionOf(type: GraphQLObjectType): string {
  const fields = Object.values(type.getFields()).map(({ name, type: inner }) => {
    const named = getNamedType(inner)
    return isObjectType(named) ? `${name} ${selectionOf(named)}` : name
  })
  return `{ ${fields.join(' ')} }`
}
