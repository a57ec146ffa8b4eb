import type { Sql } from 'postgres'
import { AccessError } from '../access/accessError.ts'
import type { EndpointPlace } from './endpoint.ts'
import { selectDeliveries, type WebhookDelivery } from './listDeliveries.ts'
import { type Selection, unmatchedTypes } from './unmatchedTypes.ts'

/** An endpoint as operators see it, without secrets. */
export type OperatedEndpoint = {
  id: string
  organization: string
  url: string
  eventTypes: string[]
  filter: string | null
  /** The event types that no event can match with the filter. */
  unmatched: string[]
  status: string
  disabledReason: string | null
  waiting: number
  dead: number
  createdAt: Date
}

export type DeliveryStatus = WebhookDelivery['status']
export type QueueDepth = { state: Exclude<DeliveryStatus, 'delivered'>; count: number }

const MOST_DELIVERIES = 1_000

/** All endpoints, or those of one organization; the oldest first. */
export async function listAllEndpoints(
  sql: Sql,
  organizationId: string | null = null,
): Promise<OperatedEndpoint[]> {
  const rows = await sql<(Omit<OperatedEndpoint, 'unmatched'> & Selection)[]>`
    select w.id, o.name as organization, w.url, w.event_types as "eventTypes", w.filter,
      o.default_distributor_code as "defaultDistributorCode", w.status,
      w.disabled_reason as "disabledReason",
      (select count(*)::integer from app.webhook_delivery d
        where d.endpoint_id = w.id and d.status = 'waiting') as waiting,
      (select count(*)::integer from app.webhook_delivery d
        where d.endpoint_id = w.id and d.status = 'dead') as dead,
      w.created_at as "createdAt"
    from app.webhook_endpoint w join app.organization o on o.id = w.organization_id
    where ${organizationId}::uuid is null or w.organization_id = ${organizationId}
    order by w.created_at, w.id`
  return rows.map(({ defaultDistributorCode, id, organization, url, ...row }) => ({
    id,
    organization,
    url,
    unmatched: unmatchedTypes({ ...row, defaultDistributorCode }, null),
    ...row,
  }))
}

/** The endpoint's organization. Throws `AccessError` for an unknown id. */
export async function findEndpoint(sql: Sql, endpointId: string): Promise<EndpointPlace> {
  const [found] = await sql<EndpointPlace[]>`
    select organization_id as "organizationId", id as "endpointId" from app.webhook_endpoint
    where id::text = ${endpointId.toLowerCase()}`
  if (!found) throw new AccessError(`There is no webhook endpoint "${endpointId}"`)
  return found
}

/** The newest thousand deliveries of an endpoint, all or of one status. */
export function listAllDeliveries(
  sql: Sql,
  { endpointId, status }: { endpointId: string; status: DeliveryStatus | null },
): Promise<WebhookDelivery[]> {
  return sql<WebhookDelivery[]>`
    ${selectDeliveries(sql)}
    where d.endpoint_id = ${endpointId} and (${status}::text is null or d.status = ${status})
    order by d.organization_sequence desc limit ${MOST_DELIVERIES}`
}

/** The numbers of waiting and of dead deliveries, also if they are 0. */
export async function deliveryQueueDepth(sql: Sql): Promise<QueueDepth[]> {
  const [row] = await sql<{ waiting: number; dead: number }[]>`
    select (select count(*)::integer from app.webhook_delivery where status = 'waiting') as waiting,
      (select count(*)::integer from app.webhook_delivery where status = 'dead') as dead`
  return [
    { state: 'waiting', count: row?.waiting ?? 0 },
    { state: 'dead', count: row?.dead ?? 0 },
  ]
}
