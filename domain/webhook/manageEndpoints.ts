import { randomUUID } from 'node:crypto'
import type { Sql, TransactionSql } from 'postgres'
import { audited } from '../access/audit.ts'
import { ServiceError } from '../error/serviceError.ts'
import { wakeWaiting } from './deliveryJobs.ts'
import {
  type CreatedEndpoint,
  type EndpointPlace,
  endpointColumns,
  getEndpoint,
  lockEndpoint,
  type WebhookAdministrator,
  type WebhookEndpoint,
} from './endpoint.ts'
import { refuseCarriedHeaders, setHeaders } from './endpointHeaders.ts'
import { checkEndpointParams, type EndpointParams } from './endpointParams.ts'
import { insertSecret } from './secrets.ts'
import type { Selection } from './unmatchedTypes.ts'

export type CreateEndpointParams = EndpointParams & { url: string; eventTypes: readonly string[] }
export type ChangeEndpointParams = EndpointParams & { status?: 'enabled' | 'disabled' | undefined }

const MOST_ENDPOINTS = 50

/** A new endpoint and its secret. Throws `INVALID_FIELD`, `INVALID_FILTER` or `WEBHOOK_ENDPOINT_LIMIT`. */
export async function createEndpoint(
  administrator: WebhookAdministrator,
  organizationId: string,
  params: CreateEndpointParams,
): Promise<CreatedEndpoint> {
  const before = await newSelection(administrator.sql, organizationId)
  const checked = await checkEndpointParams(params, { ...administrator, before })
  const { url = '', eventTypes = [], filter = null, description = '', headers = [] } = checked
  const { ordering = 'resource' } = checked
  return audited(administrator, async (transaction) => {
    await refuseTooMany(transaction, organizationId)
    const id = randomUUID()
    await transaction`
      insert into app.webhook_endpoint
        (id, organization_id, url, description, event_types, filter, ordering)
      values (${id}, ${organizationId}, ${url}, ${description}, ${[...eventTypes]}, ${filter},
        ${ordering})`
    await setHeaders(transaction, { endpointId: id, headers }, administrator.secretsKey)
    const secret = await insertSecret(transaction, id, administrator.secretsKey)
    const endpoint = await getEndpoint(transaction, { organizationId, endpointId: id })
    const details = { organizationId, origin: new URL(url).origin, eventTypes }
    return {
      result: { endpoint, secret },
      entry: { action: 'webhook.create', subject: id, organizationId, details },
    }
  })
}

/** The selection of an endpoint without settings. */
async function newSelection(sql: Sql, organizationId: string): Promise<Selection> {
  const [organization] = await sql<Pick<Selection, 'defaultDistributorCode'>[]>`
    select default_distributor_code as "defaultDistributorCode" from app.organization
    where id = ${organizationId}`
  const { defaultDistributorCode = null } = organization ?? {}
  return { eventTypes: [], filter: null, defaultDistributorCode }
}

async function refuseTooMany(sql: TransactionSql, organizationId: string) {
  // The lock prevents two concurrent requests from exceeding the limit.
  await sql`select 1 from app.organization where id = ${organizationId} for no key update`
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from app.webhook_endpoint
    where organization_id = ${organizationId}`
  if ((row?.count ?? 0) >= MOST_ENDPOINTS)
    throw new ServiceError(
      'WEBHOOK_ENDPOINT_LIMIT',
      `An organization has at most ${MOST_ENDPOINTS} webhook endpoints: delete one first.`,
      { metadata: { limit: String(MOST_ENDPOINTS) } },
    )
}

/**
 * Changes the given settings. An endpoint that is enabled again gets its waiting deliveries; events of the
 * meantime are only in the replay. Throws `WEBHOOK_ENDPOINT_NOT_FOUND` and as `createEndpoint`.
 */
export async function changeEndpoint(
  administrator: WebhookAdministrator,
  place: EndpointPlace,
  params: ChangeEndpointParams,
): Promise<WebhookEndpoint> {
  const before = await getEndpoint(administrator.sql, place)
  const rules = { ...administrator, before }
  const checked = await checkEndpointParams(params, rules)
  const { url, eventTypes, filter, description, headers, ordering, status } = {
    ...checked,
    status: params.status,
  }
  return audited(administrator, async (transaction) => {
    const locked = await lockEndpoint(transaction, place)
    refuseCarriedHeaders(locked, checked)
    if (headers)
      await setHeaders(transaction, { endpointId: locked.id, headers }, administrator.secretsKey)
    const isSwitched = status !== undefined && status !== locked.status
    const [endpoint] = await transaction<WebhookEndpoint[]>`
      update app.webhook_endpoint w set
        url = coalesce(${url ?? null}, url),
        event_types = coalesce(${eventTypes ? [...eventTypes] : null}, event_types),
        filter = case when ${filter !== undefined} then ${filter ?? null} else filter end,
        description = coalesce(${description ?? null}, description),
        ordering = coalesce(${ordering ?? null}, ordering),
        status = coalesce(${status ?? null}, status),
        disabled_reason = case when ${isSwitched} then ${status === 'disabled' ? 'by_hand' : null}
          else disabled_reason end,
        disabled_at = case when ${isSwitched} then ${status === 'disabled' ? new Date() : null}
          else disabled_at end,
        -- One that is switched on begins anew.
        failures_in_row = case when ${isSwitched} then 0 else failures_in_row end,
        failing_since = case when ${isSwitched} then null else failing_since end,
        failing_reported_at = case when ${isSwitched} then null else failing_reported_at end,
        updated_at = now()
      where w.id = ${locked.id} returning ${endpointColumns(transaction)}`
    if (!endpoint) throw new Error('Invariant(manageEndpoints): a locked endpoint is gone')
    // Without an order nothing is held back any more.
    const isFreed = ordering === 'none' && locked.ordering !== 'none'
    if (isFreed || (isSwitched && status === 'enabled')) await wakeWaiting(transaction, endpoint.id)
    const changed = Object.entries(params).filter(([, value]) => value !== undefined)
    const details = { fields: changed.map(([name]) => name), status: endpoint.status }
    return {
      result: endpoint,
      entry: {
        action: 'webhook.change',
        subject: endpoint.id,
        organizationId: place.organizationId,
        details,
      },
    }
  })
}

/** Deletes an endpoint, its secrets and deliveries; events stay. Throws `WEBHOOK_ENDPOINT_NOT_FOUND`. */
export function deleteEndpoint(
  administrator: WebhookAdministrator,
  place: EndpointPlace,
): Promise<WebhookEndpoint> {
  return audited(administrator, async (transaction) => {
    const endpoint = await lockEndpoint(transaction, place)
    await transaction`delete from app.webhook_endpoint where id = ${endpoint.id}`
    const { organizationId } = place
    return {
      result: endpoint,
      entry: {
        action: 'webhook.delete',
        subject: endpoint.id,
        organizationId,
        details: { organizationId },
      },
    }
  })
}
