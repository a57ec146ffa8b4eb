import type { FieldOptionsFromKind, InputFieldMap, TypeParam } from '@pothos/core'
import { builder } from './builder.ts'
import { readCost } from './fieldCost.ts'

type Types = typeof builder.$inferSchemaTypes
type Root = Types['Root']

/** A root field. It is nullable, so that its failure leaves the other fields of an operation their answers. `_meta` alone cannot fail. */
type RootField<
  Kind extends 'Query' | 'Mutation',
  Type extends TypeParam<Types>,
  Resolved,
  Args extends InputFieldMap,
> = Omit<FieldOptionsFromKind<Types, Root, Type, true, Args, Kind, Root, Resolved>, 'nullable'>

/** A field of `Query`. */
export function queryField<
  Type extends TypeParam<Types>,
  Resolved,
  Args extends InputFieldMap = Record<never, never>,
>(name: string, field: RootField<'Query', Type, Resolved, Args>) {
  // The cast is because TypeScript does not resolve such options for type parameters.
  builder.queryField(name, (t) => t.field({ ...field, nullable: true } as never))
}

/** A field of `Mutation`. By default it costs what a read by an index costs. */
export function mutationField<
  Type extends TypeParam<Types>,
  Resolved,
  Args extends InputFieldMap = Record<never, never>,
>(name: string, field: RootField<'Mutation', Type, Resolved, Args>) {
  const complexity = readCost('index')
  builder.mutationField(name, (t) => t.field({ complexity, ...field, nullable: true } as never))
}
