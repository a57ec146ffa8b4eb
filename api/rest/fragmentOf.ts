import { type GraphQLObjectType, getNamedType, isObjectType } from 'graphql'
import { declaredSchema } from '../../schema/schema.ts'

/**
 * A fragment with every field of a type, as they are declared, named after the type. For answers that
 * show the whole type: a new field of it is in them without a further change.
 */
export function fragmentOf(typeName: string): string {
  const type = declaredSchema.getType(typeName)
  if (!isObjectType(type)) throw new Error(`Invariant(fragmentOf): no object type ${typeName}`)
  return `fragment ${typeName} on ${typeName} ${wholeSelection(type)}\n`
}

function wholeSelection(type: GraphQLObjectType): string {
  const fields = Object.values(type.getFields()).map((field) => {
    const inner = getNamedType(field.type)
    return isObjectType(inner) ? `${field.name} ${wholeSelection(inner)}` : field.name
  })
  return `{ ${fields.join(' ')} }`
}
