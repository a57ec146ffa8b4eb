import { randomUUID } from 'node:crypto'
import type { TransactionSql } from 'postgres'
import { recordAudit } from '../access/audit.ts'
import type { EventType } from './eventTypes.ts'
import { recordEvents } from './recordEvents.ts'

/** The name of the worker in the audit log. */
const ACTOR = 'worker'

type ToldEndpoint = { id: string; organizationId: string; url: string }
type Failing = { failingSince: Date; failuresInRow: number }

/** Reports that an endpoint accepts nothing: to the organization's other endpoints and in its audit log. Call it last. */
export async function reportFailing(
  sql: TransactionSql,
  { failingSince, failuresInRow, ...endpoint }: ToldEndpoint & Failing,
): Promise<void> {
  const [last] = await sql<{ status: number | null; error: string | null }[]>`
    select last_status as status, last_error as error from app.webhook_delivery
    where endpoint_id = ${endpoint.id} and status = 'waiting' and last_attempt_at is not null
    order by last_attempt_at desc limit 1`
  await sql`
    update app.webhook_endpoint set failing_reported_at = now() where id = ${endpoint.id}`
  await tell(sql, endpoint, {
    type: 'endpoint.failing',
    fields: {
      failing_since: failingSince.toISOString(),
      failures_in_row: failuresInRow,
      last_status: last?.status ?? null,
      last_error: last?.error ?? null,
    },
  })
}

/**
 * Disables an endpoint that is enabled, and reports it likewise. Waiting deliveries stay, and are sent once it is enabled
 * again. Call it last.
 */
export async function disableEndpoint(
  sql: TransactionSql,
  endpointId: string,
  reason: 'gone' | 'failing',
): Promise<void> {
  const [disabled] = await sql<ToldEndpoint[]>`
    update app.webhook_endpoint
    set status = 'disabled', disabled_reason = ${reason}, disabled_at = now(), updated_at = now()
    where id = ${endpointId} and status = 'enabled'
    returning id, organization_id as "organizationId", url`
  if (disabled) await tell(sql, disabled, { type: 'endpoint.disabled', fields: { reason } })
}

type Told = {
  type: Extract<EventType, `endpoint.${string}`>
  fields: Record<string, unknown>
}

async function tell(
  sql: TransactionSql,
  { id, organizationId, url }: ToldEndpoint,
  { type, fields }: Told,
) {
  await recordAudit(sql, ACTOR, {
    action: type === 'endpoint.failing' ? 'webhook.failing' : 'webhook.disabled',
    subject: id,
    organizationId,
    details: fields,
  })
  await recordEvents(sql, [
    {
      organizationId,
      resource: `webhook_endpoint:${id}`,
      type,
      name: randomUUID(),
      // The rest of a URL may hold a secret.
      fields: { endpoint_id: id, endpoint_origin: new URL(url).origin, ...fields },
      exceptEndpointId: id,
    },
  ])
}
