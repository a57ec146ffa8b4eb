import type { SharedContext } from '../context.ts'
import type { FilterKeys } from '../filter/filter.ts'
import { matchesFilter } from '../filter/matchesFilter.ts'
import { type ListParams, type ListQuery, listQuery } from '../page/listQuery.ts'
import { pageInMemory } from '../page/pageInMemory.ts'
import { type ListedMember, listMembers } from './members.ts'
import { requireOrganization } from './organizations.ts'
import { requirePermission } from './requirePermission.ts'

export type MemberPage = { members: ListedMember[]; nextPageToken: string | null }

/** The keys of the filter of members. */
export const MEMBER_FILTER_KEYS = {
  role: { type: 'enum', values: ['OWNER', 'DEVELOPER', 'VIEWER'] },
  email: { type: 'string' },
} as const satisfies FilterKeys

/** The keys of the filter of operators. */
export const OPERATOR_FILTER_KEYS = { email: { type: 'string' } } as const satisfies FilterKeys

type Cursor = [email: string]
type Context = Pick<SharedContext, 'appSecret' | 'sql' | 'caller'>
type Query = Pick<Context, 'appSecret' | 'caller'>
type OrganizationParams = ListParams & { organizationId?: string }

/** The arguments of `members`, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export function memberQuery(context: Query, params: ListParams): ListQuery<Cursor> {
  const bound = [context.caller?.organizationId ?? null]
  return listQuery(context, { list: 'members', keys: MEMBER_FILTER_KEYS, params, bound })
}

/** The same of `organizationMembers`. */
export function organizationMemberQuery(
  context: Query,
  { organizationId, ...params }: OrganizationParams,
): ListQuery<Cursor> {
  const bound = [organizationId?.toLowerCase() ?? null]
  return listQuery(context, {
    list: 'organizationMembers',
    keys: MEMBER_FILTER_KEYS,
    params,
    bound,
  })
}

/** The same of `operators`. */
export function operatorQuery(context: Query, params: ListParams): ListQuery<Cursor> {
  return listQuery(context, { list: 'operators', keys: OPERATOR_FILTER_KEYS, params })
}

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
  query: ListQuery<Cursor>,
  organizationId: string | null,
): Promise<MemberPage> {
  const { filter } = query
  // In memory: people are invited one by one.
  const all = await listMembers(context.sql, organizationId)
  const matching = all.filter(
    ({ role, email }) =>
      filter === null || matchesFilter(filter, { role: role?.toUpperCase() ?? null, email }),
  )
  const { items, nextPageToken } = pageInMemory(context, query, matching, placeOf)
  return { members: items, nextPageToken }
}

function placeOf({ email }: ListedMember): Cursor {
  return [email]
}
