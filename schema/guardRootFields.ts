import type { GraphQLFieldResolver, GraphQLSchema } from 'graphql'
import { permissionOf } from '../domain/access/permissions.ts'
import { requireAccess } from '../domain/access/requirePermission.ts'
import type { AppContext } from '../domain/appContext.ts'

type Resolver = GraphQLFieldResolver<unknown, AppContext>

/**
 * Lets a root field resolve, or subscribe, only for callers with its permission; REST, GraphQL and the
 * stream all run these fields, so none can omit the check. All other fields are reached through one of them. Throws for a
 * root field that the table of permissions lacks.
 */
export function guardRootFields(schema: GraphQLSchema): GraphQLSchema {
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {})
  const fields = [schema.getQueryType(), schema.getSubscriptionType()].flatMap((type) =>
    Object.values(type?.getFields() ?? {}),
  )
  for (const field of [...mutations, ...fields]) {
    if (permissionOf(field.name) === null) continue
    const access = { field: field.name, isChange: mutations.includes(field) }
    const guarded =
      (resolver: Resolver): Resolver =>
      (parent, args, context, info) => {
        requireAccess(context.caller, access)
        return resolver(parent, args, context, info)
      }
    if (field.subscribe) field.subscribe = guarded(field.subscribe)
    else if (field.resolve) field.resolve = guarded(field.resolve)
  }
  return schema
}
