import { type GraphQLFieldResolver, type GraphQLSchema, responsePathAsArray } from 'graphql'
import type { AppContext } from '../domain/appContext.ts'
import type { LostChain } from '../domain/context.ts'

type Resolver = GraphQLFieldResolver<unknown, AppContext>

/**
 * Gives the chains that a root field of `Query` lost the path of this field, so that the answer's errors name
 * both. Whoever executes an operation reads them from its context.
 */
export function nameLostChains(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {}))
    if (field.resolve) field.resolve = named(field.resolve)
  return schema
}

function named(resolve: Resolver): Resolver {
  return async (parent, args, context, info) => {
    const own: LostChain[] = []
    const answer = await resolve(parent, args, { ...context, lostChains: own }, info)
    const path = responsePathAsArray(info.path)
    context.lostChains.push(...own.map(({ error }) => ({ error, path })))
    return answer
  }
}
