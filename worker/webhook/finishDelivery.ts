import type { Fragment, ISql, Sql } from 'postgres'
import { wakeQueueAt, wakeWaiting } from '../../domain/webhook/deliveryJobs.ts'
import { disableEndpoint } from '../../domain/webhook/endpointEvents.ts'
import { retryDelaySeconds } from '../../domain/webhook/retrySchedule.ts'
import type { ClaimedDelivery } from './claimDelivery.ts'
import { endedDelivery } from './endedDelivery.ts'
import type { SendResult } from './sendWebhook.ts'
import { settleAttempt } from './settleAttempt.ts'

export type Finished = 'delivered' | 'failed' | 'dead' | 'gone'

/** Records the result of an attempt and the time of the next one. */
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
      await markGone(sql, delivery, result)
      return 'gone'
    case 'failed':
      return markFailed(sql, delivery, result)
  }
}

function isDelivery(sql: ISql, { endpointId, eventId }: ClaimedDelivery): Fragment {
  return sql`endpoint_id = ${endpointId} and event_id = ${eventId}`
}

/** Even if another worker has claimed it meanwhile: it is delivered. */
async function markDelivered(sql: Sql, delivery: ClaimedDelivery, result: SendResult) {
  const settled = await settleAttempt(sql, result, {
    endpointId: delivery.endpointId,
    which: isDelivery(sql, delivery),
  })
  if (settled?.isRecovery) await hastenAll(sql, delivery.endpointId)
  else if (settled && settled.attempts > 1) await hasten(sql, delivery)
}

/** An endpoint that was failing accepts again: all that waits is due at once. */
async function hastenAll(sql: Sql, endpointId: string) {
  await sql.begin(async (transaction) => {
    await transaction`
      update app.webhook_delivery set next_attempt_at = date_trunc('milliseconds', now())
      where endpoint_id = ${endpointId} and status = 'waiting' and next_attempt_at > now()`
    await wakeWaiting(transaction, endpointId)
  })
}

/** What failed too, behind a delivery that is accepted at last, is due at once: in order. */
async function hasten(sql: Sql, { endpointId, resource }: ClaimedDelivery) {
  await sql`
    update app.webhook_delivery set next_attempt_at = date_trunc('milliseconds', now())
    where endpoint_id = ${endpointId} and resource = ${resource} and status = 'waiting'
      and next_attempt_at > now()`
}

function markFailed(sql: Sql, delivery: ClaimedDelivery, result: SendResult): Promise<Finished> {
  const { retryAfterSeconds } = result
  return sql.begin(async (transaction): Promise<Finished> => {
    const failed = await settleAttempt(transaction, result, {
      endpointId: delivery.endpointId,
      which: transaction`${isDelivery(transaction, delivery)} and claimed_until = ${delivery.claimedUntil}`,
    })
    // Another worker has claimed or delivered it meanwhile: only that attempt counts.
    if (!failed?.isCounted) return 'failed'
    const delay = retryDelaySeconds(failed.attempts, { retryAfterSeconds, chance: Math.random() })
    if (delay === null) {
      const which = isDelivery(transaction, delivery)
      await transaction`
        with ${endedDelivery(transaction, { which, status: 'dead' })} select count(*) from ended`
      return 'dead'
    }
    const [next] = await transaction<{ at: Date }[]>`
      update app.webhook_delivery
      set next_attempt_at = date_trunc('milliseconds', now()) + make_interval(secs => ${delay})
      where ${isDelivery(transaction, delivery)} and status = 'waiting'
      returning next_attempt_at as at`
    if (next) await wakeQueueAt(transaction, delivery, next.at)
    return 'failed'
  })
}

async function markGone(sql: Sql, delivery: ClaimedDelivery, result: SendResult) {
  await sql.begin(async (transaction) => {
    const { endpointId } = delivery
    await settleAttempt(transaction, result, {
      endpointId,
      which: isDelivery(transaction, delivery),
    })
    await disableEndpoint(transaction, endpointId, 'gone')
  })
}
