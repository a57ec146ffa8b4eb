import type { ISql, Sql } from 'postgres'
import { requirePermission } from '../access/requirePermission.ts'
import { filterToSql } from '../filter/filterToSql.ts'
import { type ListParams, type ListQuery, listQuery } from '../page/listQuery.ts'
import { type Page, pageOfRows } from '../page/pageOfRows.ts'
import { type EndpointPlace, getEndpoint } from './endpoint.ts'
import { type DayRange, daysBefore, isWithin, stretches, wholeDays } from './logDays.ts'
import type { WebhookContext } from './webhookContext.ts'

/** The delivery of one event to one endpoint, with the state of its attempts. */
export type WebhookDelivery = {
  eventId: string
  eventType: string
  organizationSequence: bigint
  resource: string
  resourceSequence: number
  status: 'waiting' | 'delivered' | 'dead'
  attempts: number
  /** Null if there is no next attempt. */
  nextAttemptAt: Date | null
  lastAttemptAt: Date | null
  /** The HTTP status; null without an answer. */
  lastStatus: number | null
  lastError: string | null
  deliveredAt: Date | null
  createdAt: Date
}

export type WebhookDeliveryPage = Page<'deliveries', WebhookDelivery>
export type DeliveryListParams = ListParams & { endpointId: string }

type Cursor = [organizationSequence: string]

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export const deliveryQuery = listQuery<Cursor, ListParams & { endpointId?: string }>({
  list: 'webhookDeliveries',
  keys: {
    status: { type: 'enum', values: ['WAITING', 'DELIVERED', 'DEAD'] },
    eventId: { type: 'string' },
    eventType: { type: 'string' },
  },
  bound: ({ endpointId }) => [endpointId ?? null],
})

/** A `select` of `WebhookDelivery` rows without conditions, over `app.webhook_delivery d`. */
export const selectDeliveries = (sql: ISql) => sql`
  select d.event_id as "eventId", d.event_type as "eventType",
  d.organization_sequence as "organizationSequence", d.resource,
  d.resource_sequence as "resourceSequence", d.status, d.attempts,
  case when d.status = 'waiting' then d.next_attempt_at end as "nextAttemptAt",
  d.last_attempt_at as "lastAttemptAt", d.last_status as "lastStatus",
  d.last_error as "lastError", d.delivered_at as "deliveredAt", d.created_at as "createdAt"
  from app.webhook_delivery d`

/** The deliveries of one endpoint, the newest event first. Also throws `WEBHOOK_ENDPOINT_NOT_FOUND`. */
export async function listDeliveries(
  context: Pick<WebhookContext, 'sql' | 'adHocSql' | 'caller' | 'appSecret'>,
  params: DeliveryListParams,
): Promise<WebhookDeliveryPage> {
  const query = deliveryQuery(context, params)
  const { organizationId } = requirePermission(context.caller, 'webhooks')
  const { endpointId } = params
  await getEndpoint(context.sql, { organizationId, endpointId })
  const rows = await selectPage(context.adHocSql, query, { organizationId, endpointId })
  return pageOfRows(context, query, {
    name: 'deliveries',
    rows,
    place: ({ organizationSequence }) => [String(organizationSequence)],
  })
}

/** The newest days first, until the page is full; at last what is older than the log. */
async function selectPage(
  sql: Sql,
  { filter, cursor, pageSize }: ListQuery<Cursor>,
  { organizationId, endpointId }: EndpointPlace,
): Promise<WebhookDelivery[]> {
  const before = cursor ? BigInt(cursor[0]) : null
  const condition = filterToSql(sql, filter, {
    // In the column's own form, by which the table has a partition and an index.
    status: (operator, value) =>
      sql`(d.status = ${String(value).toLowerCase()}) = ${operator === '='}`,
    eventId: sql`d.event_id`,
    eventType: sql`d.event_type`,
  })
  const select = (range: DayRange, rows: number) => sql<WebhookDelivery[]>`
    ${selectDeliveries(sql)}
    where d.endpoint_id = ${endpointId} and ${condition}
      and ${before === null ? sql`true` : sql`d.organization_sequence < ${String(before)}::bigint`}
      and ${isWithin(sql, sql`d.event_at`, range)}
    order by d.organization_sequence desc limit ${rows}`
  const days = await daysBefore(sql, { organizationId, before })
  const page: WebhookDelivery[] = []
  for (const range of [...stretches(days, 1)].map(wholeDays)) {
    page.push(...(await select(range, pageSize + 1 - page.length)))
    if (page.length > pageSize) return page
  }
  const older = { from: null, before: days.at(-1)?.begin ?? null }
  return [...page, ...(await select(older, pageSize + 1 - page.length))]
}
