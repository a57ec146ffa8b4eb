import type { Fragment, Sql } from 'postgres'
import type { SharedContext } from '../context.ts'
import type { FilterKeys } from '../filter/filter.ts'
import { type ListParams, type ListQuery, listQuery } from '../page/listQuery.ts'
import { pageInSql } from '../page/pageInSql.ts'
import type { Page } from '../page/pageOfRows.ts'
import type { PageCursor } from '../page/pageToken.ts'
import { backwardsViolations, type TimeRange } from '../page/timeRange.ts'
import { AUDIT_ACTIONS } from './audit.ts'
import { requirePermission } from './requirePermission.ts'

/** A recorded change. */
export type LoggedAction = {
  id: bigint
  createdAt: Date
  actor: string
  /** The name of the member or key at present; null for another actor, and for a key without a name. */
  actorName: string | null
  action: string
  subject: string
  organizationId: string | null
  details: Record<string, unknown>
}

export type AuditLogPage = Page<'actions', LoggedAction>
/** Either end of the range may be absent. */
export type AuditLogParams = ListParams & TimeRange

/** The keys of the filter of an organization's log. */
const AUDIT_FILTER_KEYS = {
  action: { type: 'enum', values: AUDIT_ACTIONS },
  actor: { type: 'string' },
  subject: { type: 'string' },
} as const satisfies FilterKeys

type Context = Pick<SharedContext, 'appSecret' | 'sql' | 'adHocSql' | 'caller'>

const TIMES = {
  bound: ({ startTime, endTime }: AuditLogParams) => [startTime ?? null, endTime ?? null],
  violations: backwardsViolations,
}

/** The arguments of `auditLog`, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export const auditLogQuery = listQuery({
  list: 'auditLog',
  keys: AUDIT_FILTER_KEYS,
  isOwn: true,
  ...TIMES,
})

/** The same of `completeAuditLog`. */
export const completeAuditLogQuery = listQuery({
  list: 'completeAuditLog',
  keys: { ...AUDIT_FILTER_KEYS, organizationId: { type: 'string' } },
  ...TIMES,
})

/** The changes in the caller's organization, the newest first. Throws as `auditLogQuery`. */
export function listAuditLog(context: Context, params: AuditLogParams): Promise<AuditLogPage> {
  const query = auditLogQuery(context, params)
  const { organizationId } = requirePermission(context.caller, 'members')
  return selectPage(context, query, {
    ...params,
    // An integrator need not know the accounts of the operator's servers.
    actorOf: (sql) => sql`
      case when a.actor ~ '^(member|key):' or a.actor = 'invitation' then a.actor
        else 'operator' end`,
    isShown: (sql) => sql`a.organization_id = ${organizationId}`,
  })
}

/** Every change, the newest first: for operators only. Throws as `completeAuditLogQuery`. */
export function listCompleteAuditLog(
  context: Context,
  params: AuditLogParams,
): Promise<AuditLogPage> {
  return selectPage(context, completeAuditLogQuery(context, params), {
    ...params,
    actorOf: (sql) => sql`a.actor`,
    isShown: (sql) => sql`true`,
  })
}

type Selection = TimeRange & {
  actorOf: (sql: Sql) => Fragment
  isShown: (sql: Sql) => Fragment
}

function selectPage(
  context: Context,
  query: ListQuery<PageCursor>,
  { startTime, endTime, actorOf, isShown }: Selection,
): Promise<AuditLogPage> {
  return pageInSql(context, query, {
    name: 'actions',
    rows: (sql) => sql`
      select a.id, a.at as "createdAt", ${actorOf(sql)} as actor,
        nullif(case
          when a.actor like 'member:%' then
            (select u.name from app.console_user u where u.id = substr(a.actor, 8))
          when a.actor like 'key:%' then
            (select k.name from app.api_key k where k.public_id = substr(a.actor, 5))
        end, '') as "actorName",
        a.action, a.subject, a.organization_id as "organizationId", a.details
      from app.audit a
      where ${isShown(sql)}
        and ${startTime === undefined ? sql`true` : sql`a.at >= to_timestamp(${startTime}::float8)`}
        and ${endTime === undefined ? sql`true` : sql`a.at <= to_timestamp(${endTime}::float8)`}`,
    order: { id: 'bigint' },
    columns: (sql) => ({ organizationId: sql`r."organizationId"::text` }),
  })
}
