import type { Fragment, ISql } from 'postgres'
import { requirePermission } from '../access/requirePermission.ts'
import type { SharedServices } from '../context.ts'
import type { FilterKeys } from '../filter/filter.ts'
import { filterToSql } from '../filter/filterToSql.ts'
import { type ListParams, type ListQuery, listQuery } from '../page/listQuery.ts'
import { pageOfRows } from '../page/pageOfRows.ts'
import { getEndpoint } from './endpoint.ts'
import { limitOf, pageSql } from './selectEvents.ts'
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

export type WebhookDeliveryPage = { deliveries: WebhookDelivery[]; nextPageToken: string | null }
export type DeliveryListParams = ListParams & { endpointId: string }

type Cursor = [organizationSequence: string]

/** The keys of the list's filter. */
export const DELIVERY_FILTER_KEYS = {
  status: { type: 'enum', values: ['WAITING', 'DELIVERED', 'DEAD'] },
  eventId: { type: 'string' },
  eventType: { type: 'string' },
} as const satisfies FilterKeys

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export function deliveryQuery(
  context: Pick<SharedServices, 'appSecret'>,
  { endpointId, ...params }: ListParams & { endpointId?: string },
): ListQuery<Cursor> {
  return listQuery(context, {
    list: 'webhookDeliveries',
    keys: DELIVERY_FILTER_KEYS,
    params,
    bound: [endpointId ?? null],
  })
}

/** A `select` of `WebhookDelivery` rows without conditions, over `app.webhook_delivery d` and `app.event e`. */
export const selectDeliveries = (sql: ISql) => sql`
  select d.event_id as "eventId", e.type as "eventType",
  d.organization_sequence as "organizationSequence", d.resource,
  d.resource_sequence as "resourceSequence", d.status, d.attempts,
  case when d.status = 'waiting' then d.next_attempt_at end as "nextAttemptAt",
  d.last_attempt_at as "lastAttemptAt", d.last_status as "lastStatus",
  d.last_error as "lastError", d.delivered_at as "deliveredAt", d.created_at as "createdAt"
  from app.webhook_delivery d join app.event e on e.id = d.event_id and e.created_at = d.event_at`

/** The deliveries of one endpoint, the newest event first. Also throws `WEBHOOK_ENDPOINT_NOT_FOUND`. */
export async function listDeliveries(
  context: WebhookContext,
  params: DeliveryListParams,
): Promise<WebhookDeliveryPage> {
  const query = deliveryQuery(context, params)
  const { organizationId } = requirePermission(context.caller, 'webhooks')
  const { endpointId } = params
  await getEndpoint(context.sql, { organizationId, endpointId })
  const rows = await selectPage(context, query, endpointId)
  const { items: deliveries, nextPageToken } = pageOfRows(
    context,
    query,
    rows,
    ({ organizationSequence }): Cursor => [String(organizationSequence)],
  )
  return { deliveries, nextPageToken }
}

function selectPage(
  context: WebhookContext,
  { filter, cursor, pageSize }: ListQuery<Cursor>,
  endpointId: string,
): Promise<WebhookDelivery[]> {
  const sql = pageSql(context, { filter, pageSize })
  const after: Fragment = cursor ? sql`d.organization_sequence < ${cursor[0]}::bigint` : sql`true`
  const condition = filter
    ? filterToSql(sql, filter, {
        status: sql`upper(d.status)`,
        eventId: sql`d.event_id`,
        eventType: sql`e.type`,
      })
    : sql`true`
  return sql<WebhookDelivery[]>`
    ${selectDeliveries(sql)}
    where d.endpoint_id = ${endpointId} and ${condition} and ${after}
    order by d.organization_sequence desc limit ${limitOf(sql, pageSize + 1)}`
}
