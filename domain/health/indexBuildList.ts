import { type ListedBuild, listIndexBuilds } from '../../db/listIndexBuilds.ts'
import type { SharedServices } from '../context.ts'
import type { FilterKeys } from '../filter/filter.ts'
import { matchesFilter } from '../filter/matchesFilter.ts'
import { type ListParams, type ListQuery, listQuery } from '../page/listQuery.ts'
import { pageInMemory } from '../page/pageInMemory.ts'

/** `head` is the newest block by the chain's nodes; null while none answers. */
export type IndexBuild = ListedBuild & { head: bigint | null }
export type IndexBuildPage = { indexBuilds: IndexBuild[]; nextPageToken: string | null }

/** The keys of the list's filter. */
export const INDEX_BUILD_FILTER_KEYS = {
  chainId: { type: 'integer' },
  state: { type: 'enum', values: ['BUILDING', 'SERVED', 'RETIRED', 'FAILED'] },
} as const satisfies FilterKeys

/** Per chain the newest build first. */
type Cursor = [chainId: number, age: number, postgresSchema: string]

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export function indexBuildQuery(
  context: Pick<SharedServices, 'appSecret'>,
  params: ListParams,
): ListQuery<Cursor> {
  return listQuery(context, { list: 'indexBuilds', keys: INDEX_BUILD_FILTER_KEYS, params })
}

/** The builds of every chain, per chain the newest first: for operators only. Throws what its query throws. */
export async function listIndexBuildPage(
  context: Pick<SharedServices, 'appSecret' | 'sql' | 'chains'>,
  params: ListParams,
): Promise<IndexBuildPage> {
  const query = indexBuildQuery(context, params)
  const { filter } = query
  const builds = (await listIndexBuilds(context.sql)).filter(
    ({ chainId, state }) =>
      filter === null || matchesFilter(filter, { chainId, state: state.toUpperCase() }),
  )
  const { items, nextPageToken } = pageInMemory(context, query, builds, placeOf)
  const indexBuilds = await Promise.all(
    items.map(async (build) => {
      const head = await context.chains.head(build.chainId).catch(() => null)
      return { ...build, head }
    }),
  )
  return { indexBuilds, nextPageToken }
}

function placeOf({ chainId, createdAt, postgresSchema }: ListedBuild): Cursor {
  return [chainId, -createdAt.getTime(), postgresSchema]
}
