import type { Sql } from 'postgres'
import type { SharedServices } from '../context.ts'
import { type ListParams, listQuery } from '../page/listQuery.ts'
import { pageInSql } from '../page/pageInSql.ts'
import type { Page } from '../page/pageOfRows.ts'
import { type Organization, organizationColumns } from './organizations.ts'

/** An organization as an operator sees it. */
export type ListedOrganization = Organization & {
  memberCount: number
  /** The keys that are neither revoked nor expired. */
  keyCount: number
}

export type OrganizationPage = Page<'organizations', ListedOrganization>

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export const organizationQuery = listQuery({
  list: 'organizations',
  keys: {
    id: { type: 'string' },
    name: { type: 'string' },
    rateLimitTier: { type: 'enum', values: ['STANDARD', 'HIGH', 'UNLIMITED'] },
  },
})

const selectOrganizations = (sql: Sql) => sql`
  select ${organizationColumns(sql)},
    (select count(*)::integer from app.organization_member m
      where m.organization_id = o.id) as "memberCount",
    (select count(*)::integer from app.api_key k
      where k.organization_id = o.id and k.revoked_at is null
        and (k.expires_at is null or k.expires_at > now())) as "keyCount"
  from app.organization o`

/** An organization that was just created or changed, as the list shows it. */
export async function listedOrganization(
  sql: Sql,
  { id }: Pick<Organization, 'id'>,
): Promise<ListedOrganization> {
  const [listed] = await sql<ListedOrganization[]>`${selectOrganizations(sql)} where o.id = ${id}`
  if (!listed) throw new Error('Invariant(organizationList): a changed organization is gone')
  return listed
}

/** All organizations by name, page by page: for operators only. Throws what its query throws. */
export async function listOrganizationPage(
  context: Pick<SharedServices, 'appSecret' | 'sql' | 'adHocSql'>,
  params: ListParams,
): Promise<OrganizationPage> {
  return pageInSql(context, organizationQuery(context, params), {
    name: 'organizations',
    rows: selectOrganizations,
    order: { name: 'text' },
    isAscending: true,
    columns: (sql) => ({ id: sql`r.id::text`, rateLimitTier: sql`upper(r."rateLimitTier")` }),
  })
}
