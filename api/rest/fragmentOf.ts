import { type GraphQLObjectType, getNamedType, isObjectType } from 'graphql'
import { linkedFields } from '../../schema/resourceLink.ts'
import { declaredSchema } from '../../schema/schema.ts'

/**
 * A fragment with every field of a type, as they are declared, named after the type. For answers that
 * show the whole type: a new field of it is in them without a further change. Of a linked resource it has the fields
 * that the link names. A resource within another has no links, because the other shows both.
 */
export function fragmentOf(typeName: string): string {
  const type = declaredSchema.getType(typeName)
  if (!isObjectType(type)) throw new Error(`Invariant(fragmentOf): no object type ${typeName}`)
  const links = Object.values(type.getFields()).flatMap((field) => {
    const fields = linkedFields(field.extensions)
    if (!fields) return []
    const { name } = getNamedType(field.type)
    return [{ field: field.name, name, text: `{ ${fields.join(' ')} }` }]
  })
  const selected = [
    ...ownFields(type),
    ...links.map(({ field, name }) => `${field} { ...${name}Link }`),
  ]
  const others = links.map(({ name, text }) => `fragment ${name}Link on ${name} ${text}\n`)
  return `fragment ${typeName} on ${typeName} { ${selected.join(' ')} }\n${others.join('')}`
}

/** The fields of a type that are no links, with all that is in them. */
function ownFields(type: GraphQLObjectType): string[] {
  return Object.values(type.getFields()).flatMap((field) => {
    if (linkedFields(field.extensions)) return []
    const inner = getNamedType(field.type)
    return [isObjectType(inner) ? `${field.name} { ${ownFields(inner).join(' ')} }` : field.name]
  })
}
