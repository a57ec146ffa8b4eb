import type { Task } from 'graphile-worker'
import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import { z } from 'zod'
import { observe } from '../../domain/observation/observe.ts'
import { openSpan, traced } from '../../domain/observation/tracing.ts'
import { openSecret } from '../../domain/secret/sealedSecret.ts'
import { DELIVER_TASK, wakeQueueAt, wakeQueues } from '../../domain/webhook/deliveryJobs.ts'
import { type EndpointHeader, openHeaders } from '../../domain/webhook/endpointHeaders.ts'
import type { WorkerPart } from '../worker.ts'
import { createAdmission } from './admission.ts'
import { type ClaimedDelivery, claimDelivery } from './claimDelivery.ts'
import { type Finished, finishDelivery } from './finishDelivery.ts'
import { releaseStaleJobs } from './releaseStaleJobs.ts'
import { type SendResult, type SendRules, sendWebhook } from './sendWebhook.ts'
import { wakeForgotten } from './wakeForgotten.ts'
import { walkReplays } from './walkReplays.ts'
import { watchEndpoints } from './watchEndpoints.ts'

export type WebhookOptions = Pick<SendRules, 'allowPrivate'> & {
  /** May lose commits in a crash of Postgres: a delivery is then repeated. */
  sql: Sql
  secretsKey: Uint8Array
  logger: Logger
  /** For one request and its answer; default 10 s. */
  timeoutMs?: number
  /** From that timeout until another worker may try; default 5 s. */
  claimSlackMs?: number
  /** An endpoint that takes longer is slow; default 1 s. */
  slowMs?: number
  /** A job that runs longer belongs to a dead worker; above the longest possible run. */
  staleMs?: number
  /** Between looks for endpoints that accept nothing; default 5 s. */
  watchMs?: number
}

const TIMEOUT_MS = 10_000
const CLAIM_SLACK_MS = 5_000
/** A job works on its queue for so long, then lets others run. */
const TURN_MS = 5_000
const STALE_MS = 45_000
const payload = z.object({ endpointId: z.string(), resource: z.string() })

/** Delivers webhooks: at least once, each resource's events in order, whichever worker dies when. */
export function deliverWebhooks(options: WebhookOptions): WorkerPart {
  const { sql, logger, timeoutMs = TIMEOUT_MS, staleMs = STALE_MS } = options
  const claimMs = timeoutMs + (options.claimSlackMs ?? CLAIM_SLACK_MS)
  const admission = createAdmission(options)
  const deliver: Task = async (given) => {
    const queue = payload.parse(given)
    // After a start all are unknown. Those that answer nobody would take the share of all others for hours.
    if (!admission.isKnown(queue.endpointId) && (await isFailing(sql, queue.endpointId)))
      admission.noteFailing(queue.endpointId)
    const leave = admission.enter(queue.endpointId)
    if (!leave) return wakeQueueAt(sql, queue, admission.later(queue.endpointId))
    const turnEnds = Date.now() + TURN_MS
    try {
      for (;;) {
        const delivery = await claimDelivery(sql, queue, claimMs)
        if (!delivery) return
        const span = openSpan({
          name: DELIVER_TASK,
          kind: 'consumer',
          attributes: { 'messaging.message.id': delivery.eventId },
          parent: delivery.traceParent,
        })
        const { outcome, ms } = await traced(span, () =>
          attempt(delivery, { ...options, timeoutMs }),
        )
        admission.note(queue.endpointId, ms)
        if (outcome === 'gone') return
        if (Date.now() > turnEnds) return await wakeQueues(sql, [queue], 'backlog')
      }
    } finally {
      leave()
    }
  }
  return {
    tasks: { [DELIVER_TASK]: deliver },
    start() {
      const loops = [
        releaseStaleJobs(sql, { staleMs, logger }),
        wakeForgotten(sql, { staleMs, logger }),
        walkReplays(sql, { logger }),
        watchEndpoints(sql, { logger, everyMs: options.watchMs }),
      ]
      return { stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))) }
    },
  }
}

async function isFailing(sql: Sql, endpointId: string): Promise<boolean> {
  const [row] = await sql`
    select from app.webhook_endpoint where id = ${endpointId} and failures_in_row > 0`
  return row !== undefined
}

async function attempt(
  delivery: ClaimedDelivery,
  options: WebhookOptions & { timeoutMs: number },
): Promise<{ outcome: Finished; ms: number }> {
  const startedAt = Date.now()
  const result = await send(delivery, options)
  const outcome = await finishDelivery(options.sql, delivery, result)
  const ms = Date.now() - startedAt
  observe({ kind: 'delivery', outcome, seconds: ms / 1_000 })
  if (outcome !== 'delivered') {
    const { endpointId, eventId } = delivery
    options.logger.warn({ endpointId, eventId, error: result.error }, `webhook ${outcome}`)
  }
  return { outcome, ms }
}

async function send(
  delivery: ClaimedDelivery,
  { secretsKey, logger, ...rules }: WebhookOptions & { timeoutMs: number },
): Promise<SendResult> {
  const { endpointId, sealedSecrets, sealedHeaders } = delivery
  let secrets: string[]
  let headers: EndpointHeader[]
  try {
    secrets = sealedSecrets.map((sealed) => openSecret(sealed, endpointId, secretsKey))
    headers = openHeaders(sealedHeaders, endpointId, secretsKey)
  } catch (error) {
    // Retried, so that nothing is lost until the operator sets the right key.
    logger.error(
      { endpointId, err: error },
      'a signing secret cannot be decrypted: SECRETS_KEY may have changed',
    )
    const words = 'not sent: its signing secret cannot be decrypted'
    const exchange = { durationMs: 0, request: null, response: null }
    return { outcome: 'failed', status: null, error: words, retryAfterSeconds: null, exchange }
  }
  return sendWebhook({ ...delivery, secrets, headers }, rules)
}
