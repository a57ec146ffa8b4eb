import type { TransactionSql } from 'postgres'
import { audited } from '../access/audit.ts'
import {
  DEFAULT_OVERLAP_SECONDS,
  OVERLAP_EXPECTED,
  overlapSecondsParam,
} from '../access/overlap.ts'
import { invalidFields } from '../error/serviceError.ts'
import { sealSecret } from '../secret/sealedSecret.ts'
import {
  type CreatedEndpoint,
  type EndpointPlace,
  getEndpoint,
  lockEndpoint,
  type WebhookAdministrator,
} from './endpoint.ts'
import { randomSigningSecret } from './signature.ts'

/** Creates an endpoint's newest secret and returns it in clear text; a previous one must have an expiry. */
export async function insertSecret(
  sql: TransactionSql,
  endpointId: string,
  secretsKey: Uint8Array,
): Promise<string> {
  const secret = randomSigningSecret()
  await sql`
    insert into app.webhook_secret (endpoint_id, sealed)
    values (${endpointId}, ${sealSecret(secret, endpointId, secretsKey)})`
  return secret
}

/**
 * A new signing secret. The previous one also signs until the overlap ends; older ones are deleted.
 * Throws `INVALID_FIELD` or `WEBHOOK_ENDPOINT_NOT_FOUND`.
 */
export async function rotateSecret(
  administrator: WebhookAdministrator,
  place: EndpointPlace,
  overlapSeconds: number = DEFAULT_OVERLAP_SECONDS,
): Promise<CreatedEndpoint> {
  if (!overlapSecondsParam.safeParse(overlapSeconds).success)
    throw invalidFields([{ field: 'overlapSeconds', description: OVERLAP_EXPECTED }])
  return audited(administrator, async (transaction) => {
    const { id } = await lockEndpoint(transaction, place)
    await transaction`
      delete from app.webhook_secret where endpoint_id = ${id} and expires_at is not null`
    await transaction`
      update app.webhook_secret set expires_at = now() + make_interval(secs => ${overlapSeconds})
      where endpoint_id = ${id}`
    const secret = await insertSecret(transaction, id, administrator.secretsKey)
    const endpoint = await getEndpoint(transaction, place)
    return {
      result: { endpoint, secret },
      entry: {
        action: 'webhook.rotate',
        subject: id,
        organizationId: place.organizationId,
        details: { overlapSeconds },
      },
    }
  })
}
