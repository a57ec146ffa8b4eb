import type { SharedContext } from '../context.ts'
import type { FilterKeys } from '../filter/filter.ts'
import { matchesFilter } from '../filter/matchesFilter.ts'
import { type ListParams, type ListQuery, listQuery } from '../page/listQuery.ts'
import { pageInMemory } from '../page/pageInMemory.ts'
import type { Page } from '../page/pageOfRows.ts'
import type { PageCursor } from '../page/pageToken.ts'
import { type ListedMember, listMembers } from './members.ts'
import { requireOrganization } from './organizations.ts'
import { requirePermission } from './requirePermission.ts'

export type MemberPage = Page<'members', ListedMember>

/** The keys of the filter of members. */
const MEMBER_FILTER_KEYS = {
  role: { type: 'enum', values: ['OWNER', 'DEVELOPER', 'VIEWER'] },
  email: { type: 'string' },
} as const satisfies FilterKeys

type Context = Pick<SharedContext, 'appSecret' | 'sql' | 'caller'>

/** The arguments of `members`, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export const memberQuery = listQuery({ list: 'members', keys: MEMBER_FILTER_KEYS, isOwn: true })

/** The same of `organizationMembers`. */
export const organizationMemberQuery = listQuery({
  list: 'organizationMembers',
  keys: MEMBER_FILTER_KEYS,
  bound: ({ organizationId }: ListParams & { organizationId?: string }) => [
    organizationId?.toLowerCase() ?? null,
  ],
})

/** The same of `operators`. */
export const operatorQuery = listQuery({ list: 'operators', keys: { email: { type: 'string' } } })

/** The members of the caller's organization, by email address. Throws as `memberQuery`. */
export async function listOwnMembers(context: Context, params: ListParams): Promise<MemberPage> {
  const query = memberQuery(context, params)
  const { organizationId } = requirePermission(context.caller, 'members')
  return selectPage(context, query, organizationId)
}

/** The members of any organization: for operators only. Also throws `ORGANIZATION_NOT_FOUND`. */
export async function listOrganizationMembers(
  context: Context,
  params: ListParams & { organizationId: string },
): Promise<MemberPage> {
  const query = organizationMemberQuery(context, params)
  await requireOrganization(context.sql, params.organizationId)
  return selectPage(context, query, params.organizationId)
}

/** The operators, by email address: for operators only. Throws as `operatorQuery`. */
export function listOperators(context: Context, params: ListParams): Promise<MemberPage> {
  return selectPage(context, operatorQuery(context, params), null)
}

async function selectPage(
  context: Context,
  query: ListQuery<PageCursor>,
  organizationId: string | null,
): Promise<MemberPage> {
  // In memory: people are invited one by one.
  const all = await listMembers(context.sql, organizationId)
  const rows = all.filter(({ role, email }) =>
    matchesFilter(query.filter, { role: role?.toUpperCase() ?? null, email }),
  )
  return pageInMemory(context, query, { name: 'members', rows, place: ({ email }) => [email] })
}
