import type { Sql } from 'postgres'
import { wakeQueueAt } from '../../domain/webhook/deliveryJobs.ts'
import { retryDelaySeconds } from '../../domain/webhook/retrySchedule.ts'
import type { ClaimedDelivery } from './claimDelivery.ts'
import type { SendResult } from './sendWebhook.ts'

export type Finished = 'delivered' | 'failed' | 'dead' | 'gone'

/** Writes down how an attempt ended, and when it is tried again. */
export async function finishDelivery(
  sql: Sql,
  delivery: ClaimedDelivery,
  result: SendResult,
): Promise<Finished> {
  switch (result.outcome) {
    case 'delivered':
      await markDelivered(sql, delivery, result)
      return 'delivered'
    case 'gone':
      await disableEndpoint(sql, delivery, result)
      return 'gone'
    case 'failed':
      return markFailed(sql, delivery, result)
  }
}

/** Also when somebody else has it meanwhile: it is delivered. */
async function markDelivered(sql: Sql, delivery: ClaimedDelivery, { status }: SendResult) {
  const { endpointId, eventId } = delivery
  await sql`
    update app.webhook_delivery
    set status = 'delivered', attempts = attempts + 1, claimed_until = null, delivered_at = now(),
      last_attempt_at = now(), last_status = ${status}, last_error = null
    where endpoint_id = ${endpointId} and event_id = ${eventId} and status = 'waiting'`
}

async function markFailed(
  sql: Sql,
  delivery: ClaimedDelivery,
  { status, error, retryAfterSeconds }: SendResult,
): Promise<Finished> {
  const { endpointId, eventId, claimedUntil } = delivery
  const finished = await sql.begin(async (transaction): Promise<Finished> => {
    const [failed] = await transaction<{ attempts: number }[]>`
      update app.webhook_delivery
      set attempts = attempts + 1, claimed_until = null, last_attempt_at = now(),
        last_status = ${status}, last_error = ${error}
      where endpoint_id = ${endpointId} and event_id = ${eventId} and status = 'waiting'
        and claimed_until = ${claimedUntil}
      returning attempts`
    // Redelivered or taken by another worker meanwhile: that one's attempt counts.
    if (!failed) return 'failed'
    const delay = retryDelaySeconds(failed.attempts, { retryAfterSeconds, chance: Math.random() })
    if (delay === null) {
      await transaction`
        update app.webhook_delivery set status = 'dead'
        where endpoint_id = ${endpointId} and event_id = ${eventId}`
      return 'dead'
    }
    const [next] = await transaction<{ at: Date }[]>`
      update app.webhook_delivery
      set next_attempt_at = date_trunc('milliseconds', now()) + make_interval(secs => ${delay})
      where endpoint_id = ${endpointId} and event_id = ${eventId}
      returning next_attempt_at as at`
    if (next) await wakeQueueAt(transaction, delivery, next.at)
    return 'failed'
  })
  return finished as Finished
}

/** What waits for it stays, for when it is enabled again. */
async function disableEndpoint(sql: Sql, delivery: ClaimedDelivery, { status, error }: SendResult) {
  const { endpointId, eventId } = delivery
  await sql.begin(async (transaction) => {
    await transaction`
      update app.webhook_endpoint
      set status = 'disabled', disabled_reason = 'gone', disabled_at = now(), updated_at = now()
      where id = ${endpointId} and status = 'enabled'`
    await transaction`
      update app.webhook_delivery
      set attempts = attempts + 1, claimed_until = null, last_attempt_at = now(),
        last_status = ${status}, last_error = ${error}
      where endpoint_id = ${endpointId} and event_id = ${eventId} and status = 'waiting'`
  })
}
