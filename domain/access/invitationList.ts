import type { SharedContext } from '../context.ts'
import { type ListParams, listQuery } from '../page/listQuery.ts'
import { pageInSql } from '../page/pageInSql.ts'
import type { Page } from '../page/pageOfRows.ts'
import { invitationColumns, type ListedInvitation } from './listedInvitation.ts'
import { requirePermission } from './requirePermission.ts'

export type InvitationPage = Page<'invitations', ListedInvitation>

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export const invitationQuery = listQuery({
  list: 'organizationInvitations',
  keys: {
    status: { type: 'enum', values: ['OPEN', 'ACCEPTED', 'REVOKED', 'EXPIRED'] },
    role: { type: 'enum', values: ['OWNER', 'DEVELOPER', 'VIEWER'] },
    email: { type: 'string' },
  },
  isOwn: true,
})

/** The invitations of the caller's organization, the newest first. Throws what its query throws. */
export async function listInvitations(
  context: Pick<SharedContext, 'appSecret' | 'sql' | 'adHocSql' | 'caller'>,
  params: ListParams,
): Promise<InvitationPage> {
  const query = invitationQuery(context, params)
  const { organizationId } = requirePermission(context.caller, 'members')
  return pageInSql(context, query, {
    name: 'invitations',
    rows: (sql) => sql`
      select ${invitationColumns(sql)} from app.console_invitation i
      where i.organization_id = ${organizationId}`,
    order: { createdAt: 'timestamptz', id: 'uuid' },
    columns: (sql) => ({ status: sql`upper(r.status)`, role: sql`upper(r.role)` }),
  })
}
