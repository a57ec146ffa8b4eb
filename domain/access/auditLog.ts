import type { Fragment, Sql } from 'postgres'
import type { SharedContext } from '../context.ts'
import { invalidFields } from '../error/serviceError.ts'
import type { FilterKeys } from '../filter/filter.ts'
import { filterToSql } from '../filter/filterToSql.ts'
import { type ListParams, type ListQuery, listQuery } from '../page/listQuery.ts'
import { pageOfRows } from '../page/pageOfRows.ts'
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

export type AuditLogPage = { actions: LoggedAction[]; nextPageToken: string | null }
/** Either end of the range may be absent. */
export type AuditLogParams = ListParams & TimeRange

/** The keys of the filter of an organization's log. */
export const AUDIT_FILTER_KEYS = {
  action: { type: 'enum', values: AUDIT_ACTIONS },
  actor: { type: 'string' },
  subject: { type: 'string' },
} as const satisfies FilterKeys

/** The keys of the filter of the whole log. */
export const COMPLETE_AUDIT_FILTER_KEYS = {
  ...AUDIT_FILTER_KEYS,
  organizationId: { type: 'string' },
} as const satisfies FilterKeys

type Cursor = [id: string]
type Context = Pick<SharedContext, 'appSecret' | 'sql' | 'adHocSql' | 'caller'>
type QueryContext = Pick<Context, 'appSecret' | 'caller'>

/** The arguments of `auditLog`, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export function auditLogQuery(context: QueryContext, params: AuditLogParams): ListQuery<Cursor> {
  const { organizationId = null } = context.caller ?? {}
  return rangeQuery(context, params, { list: 'auditLog', keys: AUDIT_FILTER_KEYS, organizationId })
}

/** The same of `completeAuditLog`. */
export function completeAuditLogQuery(
  context: QueryContext,
  params: AuditLogParams,
): ListQuery<Cursor> {
  const list = { list: 'completeAuditLog', keys: COMPLETE_AUDIT_FILTER_KEYS, organizationId: null }
  return rangeQuery(context, params, list)
}

type LogDefinition = { list: string; keys: FilterKeys; organizationId: string | null }

function rangeQuery(
  context: QueryContext,
  { startTime, endTime, ...params }: AuditLogParams,
  { list, keys, organizationId }: LogDefinition,
): ListQuery<Cursor> {
  const violations =
    startTime === undefined || endTime === undefined ? [] : backwardsViolations(startTime, endTime)
  return listQuery(context, {
    list,
    keys,
    params,
    bound: [organizationId, startTime ?? null, endTime ?? null],
    refuse: () => (violations.length > 0 ? invalidFields(violations) : undefined),
  })
}

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

async function selectPage(
  context: Context,
  query: ListQuery<Cursor>,
  { startTime, endTime, actorOf, isShown }: Selection,
): Promise<AuditLogPage> {
  const { filter, cursor, pageSize } = query
  // A prepared statement per shape of filter would pile up in every connection.
  const sql = filter === null ? context.sql : context.adHocSql
  const columns = {
    action: sql`a.action`,
    actor: actorOf(sql),
    subject: sql`a.subject`,
    organizationId: sql`a.organization_id::text`,
  }
  const rows = await sql<LoggedAction[]>`
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
      and ${filter === null ? sql`true` : filterToSql(sql, filter, columns)}
      and ${startTime === undefined ? sql`true` : sql`a.at >= to_timestamp(${startTime}::float8)`}
      and ${endTime === undefined ? sql`true` : sql`a.at <= to_timestamp(${endTime}::float8)`}
      and ${cursor === null ? sql`true` : sql`a.id < ${cursor[0]}::bigint`}
    order by a.id desc limit ${pageSize + 1}`
  const { items, nextPageToken } = pageOfRows(
    context,
    query,
    rows,
    ({ id }): Cursor => [String(id)],
  )
  return { actions: items, nextPageToken }
}
