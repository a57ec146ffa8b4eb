import type { ISql } from 'postgres'
import type { Administrator } from '../access/audit.ts'
import { requirePermission } from '../access/requirePermission.ts'
import { ServiceError } from '../error/serviceError.ts'
import type { WebhookContext } from './webhookContext.ts'
import type { TargetRules } from './webhookTarget.ts'

/** Where an organization is told of its events. */
export type WebhookEndpoint = {
  id: string
  organizationId: string
  url: string
  description: string
  /** Types, or with a trailing wildcard all that begin so. */
  eventTypes: string[]
  /** In the language of lists; null for the organization's distributor code. */
  filter: string | null
  status: 'enabled' | 'disabled'
  /** gone: it answered 410. */
  disabledReason: 'gone' | 'by_hand' | null
  /** When the secret before the newest ends; null when it has. */
  previousSecretExpiresAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** `secret` is the clear signing secret: shown now, and never again. */
export type CreatedEndpoint = { endpoint: WebhookEndpoint; secret: string }

/** Who manages webhooks: over the api a key, else who administers. */
export type WebhookAdministrator = Administrator & {
  /** 32 bytes under which signing secrets are stored. */
  secretsKey: Uint8Array
  targets: TargetRules
}

/** An endpoint of an organization. */
export type EndpointPlace = { organizationId: string; endpointId: string }

/** The caller of a request as who manages the webhooks of its organization. Throws as `requirePermission`. */
export function webhookAdministrator(
  context: Pick<WebhookContext, 'sql' | 'caller' | 'secretsKey' | 'webhookTargets'>,
): { administrator: WebhookAdministrator; organizationId: string } {
  const { sql, secretsKey, webhookTargets: targets } = context
  const { keyId, organizationId } = requirePermission(context.caller, 'webhooks')
  return { administrator: { sql, actor: `key:${keyId}`, secretsKey, targets }, organizationId }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The columns of `WebhookEndpoint`, of `app.webhook_endpoint w`. */
export const endpointColumns = (sql: ISql) => sql`
  w.id, w.organization_id as "organizationId", w.url, w.description,
  w.event_types as "eventTypes", w.filter, w.status, w.disabled_reason as "disabledReason",
  (select max(s.expires_at) from app.webhook_secret s
    where s.endpoint_id = w.id and s.expires_at > now()) as "previousSecretExpiresAt",
  w.created_at as "createdAt", w.updated_at as "updatedAt"`

/** One endpoint. Throws `WEBHOOK_ENDPOINT_NOT_FOUND`, also for what is no id and those of others. */
export async function getEndpoint(
  sql: ISql,
  { organizationId, endpointId }: EndpointPlace,
): Promise<WebhookEndpoint> {
  const [found] = UUID.test(endpointId)
    ? await sql<WebhookEndpoint[]>`
        select ${endpointColumns(sql)} from app.webhook_endpoint w
        where w.id = ${endpointId} and w.organization_id = ${organizationId}`
    : []
  if (!found)
    throw new ServiceError('WEBHOOK_ENDPOINT_NOT_FOUND', 'There is no webhook endpoint of this id.')
  return found
}

/**
 * As `getEndpoint`, for what only an enabled one can be had to do; `before` is that. Throws
 * `WEBHOOK_ENDPOINT_DISABLED` too.
 */
export async function getEnabledEndpoint(
  sql: ISql,
  place: EndpointPlace,
  before: string,
): Promise<WebhookEndpoint> {
  const endpoint = await getEndpoint(sql, place)
  if (endpoint.status === 'enabled') return endpoint
  throw new ServiceError(
    'WEBHOOK_ENDPOINT_DISABLED',
    `The webhook endpoint is disabled: enable it before ${before}.`,
  )
}

/** As `getEndpoint`, locked so that two do not change it in two ways. */
export async function lockEndpoint(sql: ISql, place: EndpointPlace): Promise<WebhookEndpoint> {
  if (UUID.test(place.endpointId))
    await sql`select 1 from app.webhook_endpoint where id = ${place.endpointId} for no key update`
  return getEndpoint(sql, place)
}
