import type { GraphQLField } from 'graphql'
import type { AppContext } from '../domain/appContext.ts'
import { declaredSchema } from './schema.ts'

export type RootField = {
  operation: 'query' | 'mutation'
  /** For reading only: the field of the served schema is the one that is guarded. */
  field: GraphQLField<unknown, AppContext>
}

/** A field of `Query` or `Mutation`, with its arguments in declared order. Throws for an unknown name. */
export function rootField(name: string): RootField {
  for (const operation of ['query', 'mutation'] as const) {
    const type =
      operation === 'query' ? declaredSchema.getQueryType() : declaredSchema.getMutationType()
    const field = type?.getFields()[name]
    if (field) return { operation, field }
  }
  throw new Error(`Invariant(rootField): the schema has no root field ${name}`)
}
