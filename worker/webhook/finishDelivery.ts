import type { Fragment, ISql, Sql, TransactionSql } from 'postgres'
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
      return (await markGone(sql, delivery, result)) ? 'gone' : markFailed(sql, delivery, result)
    case 'failed':
      return markFailed(sql, delivery, result)
  }
}

function isDelivery(sql: ISql, { endpointId, eventId }: ClaimedDelivery): Fragment {
  return sql`endpoint_id = ${endpointId} and event_id = ${eventId}`
}

/**
 * Even if another worker has claimed it meanwhile: it is delivered. If it failed before, the deliveries behind it become due in the
 * same transaction: no later step would notice that they did not.
 */
async function markDelivered(sql: Sql, delivery: ClaimedDelivery, result: SendResult) {
  const settle = (sql: ISql) =>
    settleAttempt(sql, result, {
      endpointId: delivery.endpointId,
      which: isDelivery(sql, delivery),
    })
  if (delivery.isAwaited)
    await sql.begin(async (transaction) => hasten(transaction, delivery, await settle(transaction)))
  else {
    const settled = await settle(sql)
    // It failed, or its endpoint was reported, since the claim.
    if (settled && (settled.isRecovery || settled.attempts > 1))
      await sql.begin((transaction) => hasten(transaction, delivery, settled))
  }
}

/** Makes the deliveries behind this one due: all of an endpoint that was failing, else those of its resource. */
async function hasten(
  sql: TransactionSql,
  { endpointId, resource }: ClaimedDelivery,
  settled: Awaited<ReturnType<typeof settleAttempt>>,
) {
  if (settled?.isRecovery) {
    await makeDue(sql, { endpointId, resource: null })
    await wakeWaiting(sql, endpointId)
  } else if (settled && settled.attempts > 1) await makeDue(sql, { endpointId, resource })
}

/** Makes the deliveries of the endpoint, or of one resource of it, due at once. Locks them in one order, so that two such statements do not wait for each other. */
async function makeDue(
  sql: TransactionSql,
  { endpointId, resource }: { endpointId: string; resource: string | null },
) {
  await sql`
    update app.webhook_delivery d set next_attempt_at = date_trunc('milliseconds', now())
    from (
      select event_id from app.webhook_delivery
      where endpoint_id = ${endpointId} and status = 'waiting' and next_attempt_at > now()
        and (${resource}::text is null or resource = ${resource})
      order by event_id for no key update
    ) later
    where d.endpoint_id = ${endpointId} and d.status = 'waiting' and d.event_id = later.event_id`
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

/** False where the endpoint has another URL by now: a 410 is about the one that gave it. */
async function markGone(sql: Sql, delivery: ClaimedDelivery, result: SendResult): Promise<boolean> {
  const { endpointId, url } = delivery
  return sql.begin(async (transaction) => {
    const [endpoint] = await transaction`
      select from app.webhook_endpoint where id = ${endpointId} and url = ${url} for no key update`
    if (!endpoint) return false
    const which = isDelivery(transaction, delivery)
    await settleAttempt(transaction, result, { endpointId, which })
    await disableEndpoint(transaction, endpointId, 'gone')
    return true
  })
}
