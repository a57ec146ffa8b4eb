import type { ISql } from 'postgres'
import type { Hex } from 'viem'
import type { Administrator } from '../access/audit.ts'
import { isUuid } from '../access/isUuid.ts'
import { requirePermission } from '../access/requirePermission.ts'
import { ServiceError } from '../error/serviceError.ts'
import { type KnownVaults, knownVaults } from './unmatchedTypes.ts'
import type { WebhookContext } from './webhookContext.ts'
import type { TargetRules } from './webhookTarget.ts'

/** A URL of an organization that receives its events. */
export type WebhookEndpoint = {
  id: string
  organizationId: string
  url: string
  description: string
  /** Types, or prefixes with a trailing wildcard. */
  eventTypes: string[]
  /** In the filter language of lists; null for the organization's distributor code. */
  filter: string | null
  /** The organization's; null without one. */
  defaultDistributorCode: Hex | null
  /** The names of its own headers; their values are shown to nobody. */
  headerNames: string[]
  /** `none`: a delivery that fails holds back no other one. */
  ordering: 'resource' | 'none'
  status: 'enabled' | 'disabled'
  /** `gone`: the endpoint answered 410. `failing`: it accepted nothing for five days. */
  disabledReason: 'gone' | 'failing' | 'by_hand' | null
  /** The first failure since the last success; null while it accepts. */
  failingSince: Date | null
  /** Whether it was reported as failing. */
  isFailing: boolean
  /** When the previous secret expires; null once it has. */
  previousSecretExpiresAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** `secret` is the clear signing secret: shown now, and never again. */
export type CreatedEndpoint = { endpoint: WebhookEndpoint; secret: string }

/** The actor that manages webhooks: an API key, or an operator. */
export type WebhookAdministrator = Administrator & {
  /** 32 bytes that encrypt stored signing secrets. */
  secretsKey: Uint8Array
  targets: TargetRules
  vaults: KnownVaults
}

/** An endpoint of an organization. */
export type EndpointPlace = { organizationId: string; endpointId: string }

/** The caller of a request as the administrator of its organization's webhooks. Throws as `requirePermission`. */
export function webhookAdministrator(
  context: Pick<WebhookContext, 'sql' | 'caller' | 'secretsKey' | 'webhookTargets' | 'addressBook'>,
): { administrator: WebhookAdministrator; organizationId: string } {
  const { sql, secretsKey, webhookTargets: targets } = context
  const vaults = knownVaults(context.addressBook)
  const { actor, organizationId } = requirePermission(context.caller, 'webhooks')
  return {
    administrator: { sql, actor, secretsKey, targets, vaults },
    organizationId,
  }
}

/** The columns of `WebhookEndpoint`, of `app.webhook_endpoint w`. */
export const endpointColumns = (sql: ISql) => sql`
  w.id, w.organization_id as "organizationId", w.url, w.description,
  w.event_types as "eventTypes", w.filter,
  (select o.default_distributor_code from app.organization o
    where o.id = w.organization_id) as "defaultDistributorCode", array(
    select h.name from app.webhook_header h where h.endpoint_id = w.id order by h.name
  ) as "headerNames", w.ordering, w.status, w.disabled_reason as "disabledReason",
  w.failing_since as "failingSince", w.failing_reported_at is not null as "isFailing",
  (select max(s.expires_at) from app.webhook_secret s
    where s.endpoint_id = w.id and s.expires_at > now()) as "previousSecretExpiresAt",
  w.created_at as "createdAt", w.updated_at as "updatedAt"`

/** One endpoint. Throws `WEBHOOK_ENDPOINT_NOT_FOUND`, also for a malformed id or another organization's. */
export async function getEndpoint(
  sql: ISql,
  { organizationId, endpointId }: EndpointPlace,
): Promise<WebhookEndpoint> {
  const [found] = isUuid(endpointId)
    ? await sql<WebhookEndpoint[]>`
        select ${endpointColumns(sql)} from app.webhook_endpoint w
        where w.id = ${endpointId} and w.organization_id = ${organizationId}`
    : []
  if (!found)
    throw new ServiceError('WEBHOOK_ENDPOINT_NOT_FOUND', 'There is no webhook endpoint of this id.')
  return found
}

/**
 * Like `getEndpoint`, for an action that needs an enabled endpoint; `before` completes the message. Also
 * throws `WEBHOOK_ENDPOINT_DISABLED`.
 */
export async function getEnabledEndpoint(
  sql: ISql,
  place: EndpointPlace,
  before: string,
): Promise<WebhookEndpoint> {
  const endpoint = await getEndpoint(sql, place)
  requireEnabled(endpoint, before)
  return endpoint
}

/** Throws `WEBHOOK_ENDPOINT_DISABLED`; `before` completes the message. */
export function requireEnabled({ status }: WebhookEndpoint, before: string): void {
  if (status !== 'enabled')
    throw new ServiceError(
      'WEBHOOK_ENDPOINT_DISABLED',
      `The webhook endpoint is disabled: enable it before ${before}.`,
    )
}

/** Like `getEndpoint`, with a lock against concurrent changes. */
export async function lockEndpoint(sql: ISql, place: EndpointPlace): Promise<WebhookEndpoint> {
  if (isUuid(place.endpointId))
    await sql`select 1 from app.webhook_endpoint where id = ${place.endpointId} for no key update`
  return getEndpoint(sql, place)
}
