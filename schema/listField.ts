import type { AppContext } from '../domain/appContext.ts'
import type { CheckedQuery, ListParams } from '../domain/page/listQuery.ts'
import { checkedByQuery } from './argumentChecks.ts'
import { queryField } from './declareRootField.ts'
import { pageCost } from './fieldCost.ts'
import { listArguments } from './listArguments.ts'
import type { pageRef } from './page.ts'
import { withoutNulls } from './withoutNulls.ts'

type ListField<Page extends { nextPageToken: string | null }> = {
  type: ReturnType<typeof pageRef<Page>>
  reads: Parameters<typeof pageCost>[0]
  description: string
  query: CheckedQuery
  list: (context: AppContext, params: ListParams) => Page | Promise<Page>
}

/** The root field of a list whose arguments are a filter and a page. */
export function listField<Page extends { nextPageToken: string | null }>(
  name: string,
  { type, reads, description, query, list }: ListField<Page>,
) {
  queryField(name, {
    type,
    complexity: pageCost(reads),
    description,
    args: listArguments(query.keys),
    extensions: checkedByQuery(query),
    // Cast, because TypeScript does not resolve the type of a resolver for a type parameter.
    resolve: (_, args, context) => list(context, withoutNulls(args)) as never,
  })
}
