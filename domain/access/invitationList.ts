import type { SharedContext } from '../context.ts'
import type { FilterKeys } from '../filter/filter.ts'
import { filterToSql } from '../filter/filterToSql.ts'
import { type ListParams, type ListQuery, listQuery } from '../page/listQuery.ts'
import { pageOfRows } from '../page/pageOfRows.ts'
import { invitationColumns, invitationStatus, type ListedInvitation } from './listedInvitation.ts'
import { requirePermission } from './requirePermission.ts'

export type InvitationPage = { invitations: ListedInvitation[]; nextPageToken: string | null }

/** The keys of the list's filter. */
export const INVITATION_FILTER_KEYS = {
  status: { type: 'enum', values: ['OPEN', 'ACCEPTED', 'REVOKED', 'EXPIRED'] },
  role: { type: 'enum', values: ['OWNER', 'DEVELOPER', 'VIEWER'] },
  email: { type: 'string' },
} as const satisfies FilterKeys

/** The last row of a page; rows are never deleted. */
type Cursor = [id: string]
type Context = Pick<SharedContext, 'appSecret' | 'sql' | 'adHocSql' | 'caller'>

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export function invitationQuery(
  context: Pick<Context, 'appSecret' | 'caller'>,
  params: ListParams,
): ListQuery<Cursor> {
  const bound = [context.caller?.organizationId ?? null]
  return listQuery(context, { list: 'invitations', keys: INVITATION_FILTER_KEYS, params, bound })
}

/** The invitations of the caller's organization, the newest first. Throws what its query throws. */
export async function listInvitations(
  context: Context,
  params: ListParams,
): Promise<InvitationPage> {
  const query = invitationQuery(context, params)
  const { organizationId } = requirePermission(context.caller, 'members')
  const { filter, cursor, pageSize } = query
  // A prepared statement per shape of filter would pile up in every connection.
  const sql = filter === null ? context.sql : context.adHocSql
  const columns = {
    status: sql`upper(${invitationStatus(sql)})`,
    role: sql`upper(i.role)`,
    email: sql`i.email`,
  }
  const after = cursor
    ? sql`(i.created_at, i.id) < (
        select last.created_at, last.id from app.console_invitation last
        where last.id = ${cursor[0]}::uuid)`
    : sql`true`
  const rows = await sql<ListedInvitation[]>`
    select ${invitationColumns(sql)} from app.console_invitation i
    where i.organization_id = ${organizationId} and ${after}
      and ${filter === null ? sql`true` : filterToSql(sql, filter, columns)}
    order by i.created_at desc, i.id desc limit ${pageSize + 1}`
  const { items, nextPageToken } = pageOfRows(context, query, rows, ({ id }): Cursor => [id])
  return { invitations: items, nextPageToken }
}
