import type { InputFieldMap, InputShapeFromFields, ObjectRef } from '@pothos/core'
import type { AppContext } from '../domain/appContext.ts'
import type { FilterKeys } from '../domain/filter/filter.ts'
import { checkedByQuery } from './argumentChecks.ts'
import type { builder, GivenRoot } from './builder.ts'
import { queryField } from './declareRootField.ts'
import { pageCost } from './fieldCost.ts'
import { listArguments, type pageSizeArgument } from './listArguments.ts'
import { withoutNulls } from './withoutNulls.ts'

/** Every list has a page size, from which its cost follows. */
type Arguments = InputFieldMap & ReturnType<typeof pageSizeArgument>

/** Arguments as parameters of the domain. */
type Params<Args extends Arguments> = ReturnType<typeof withoutNulls<InputShapeFromFields<Args>>>

type ListField<Page, Args extends Arguments> = {
  type: ObjectRef<typeof builder.$inferSchemaTypes, Page>
  reads: Parameters<typeof pageCost>[0]
  description: string
  /** By default a filter over the keys of the query, and a page. */
  args?: Args
  /** The check of the arguments. */
  query: ((context: AppContext, params: Params<Args>) => unknown) & { keys?: FilterKeys }
  list: (context: AppContext, params: Params<Args>) => Page | Promise<Page>
}

/** The root field of a list. A page that was read before the operation runs is not read again. */
export function listField<Page, Args extends Arguments = ReturnType<typeof listArguments>>(
  name: string,
  { type, reads, description, args, query, list }: ListField<Page, Args>,
) {
  queryField(name, {
    type,
    // Casts, because TypeScript does not resolve the types of arguments for type parameters.
    complexity: pageCost(reads) as never,
    description,
    args: args ?? listArguments(query.keys ?? {}),
    extensions: checkedByQuery(query),
    resolve: (given, asked, context) =>
      (given[name as keyof GivenRoot] ?? list(context, withoutNulls(asked) as never)) as never,
  })
}
