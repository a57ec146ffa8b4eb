import { type ListedBuild, listIndexBuilds } from '../../db/listIndexBuilds.ts'
import type { SharedServices } from '../context.ts'
import { matchesFilter } from '../filter/matchesFilter.ts'
import { type ListParams, listQuery } from '../page/listQuery.ts'
import { pageInMemory } from '../page/pageInMemory.ts'
import type { Page } from '../page/pageOfRows.ts'

/** `head` is the newest block by the chain's nodes; null while none answers. */
export type IndexBuild = ListedBuild & { head: bigint | null }
export type IndexBuildPage = Page<'indexBuilds', IndexBuild>

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export const indexBuildQuery = listQuery({
  list: 'indexBuilds',
  keys: {
    chainId: { type: 'integer' },
    state: { type: 'enum', values: ['BUILDING', 'SERVED', 'RETIRED', 'FAILED'] },
  },
})

/** The builds of every chain, per chain the newest first: for operators only. Throws what its query throws. */
export async function listIndexBuildPage(
  context: Pick<SharedServices, 'appSecret' | 'sql' | 'chains'>,
  params: ListParams,
): Promise<IndexBuildPage> {
  const query = indexBuildQuery(context, params)
  const rows = (await listIndexBuilds(context.sql)).filter(({ chainId, state }) =>
    matchesFilter(query.filter, { chainId, state: state.toUpperCase() }),
  )
  const page = pageInMemory(context, query, {
    name: 'indexBuilds',
    rows,
    place: ({ chainId, createdAt, postgresSchema }) => [
      chainId,
      -createdAt.getTime(),
      postgresSchema,
    ],
  })
  const indexBuilds = await Promise.all(
    page.indexBuilds.map(async (build) => {
      const head = await context.chains.head(build.chainId).catch(() => null)
      return { ...build, head }
    }),
  )
  return { ...page, indexBuilds }
}
