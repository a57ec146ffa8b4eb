import type { ISql, Sql } from 'postgres'
import { audited } from '../access/audit.ts'
import { refuseTogether } from '../error/refuseTogether.ts'
import { invalidFields, ServiceError } from '../error/serviceError.ts'
import { wakeWaiting } from './deliveryJobs.ts'
import {
  type EndpointPlace,
  getEndpoint,
  lockEndpoint,
  requireEnabled,
  type WebhookAdministrator,
} from './endpoint.ts'
import { refusedEventTypes } from './endpointParams.ts'
import { refusedAfter } from './eventQuery.ts'
import { requireKnownPlace } from './listEvents.ts'
import { knownSequences, latestOf, sequenceBefore } from './selectEvents.ts'

/** The events to send again. One of `after` and `startTime` is given. */
export type ReplayParams = {
  /** A sequence: the events after it. */
  after?: string | undefined
  /** Unix seconds: the events recorded then or later. */
  startTime?: number | undefined
  /** Unix seconds: the events recorded before. By default all until now. */
  endTime?: number | undefined
  /** By default all that the endpoint selects. */
  eventTypes?: readonly string[] | undefined
  /** Only events whose delivery is dead. */
  onlyFailed?: boolean | undefined
}

export type WebhookReplay = {
  id: string
  status: 'running' | 'paused' | 'completed' | 'canceled'
  /** Found so far. */
  eventCount: number
  sentCount: number
  failedCount: number
  afterSequence: bigint
  endSequence: bigint
  /** The last event that was looked at. */
  position: bigint
  createdAt: Date
}

/**
 * Begins to send events of the log to an endpoint again, in order per resource. Events until now are part of it. Throws
 * `INVALID_FIELD`, `EVENTS_EXPIRED`, `WEBHOOK_ENDPOINT_NOT_FOUND`, `WEBHOOK_ENDPOINT_DISABLED` or `WEBHOOK_REPLAY_RUNNING`.
 */
export async function startReplay(
  administrator: WebhookAdministrator,
  place: EndpointPlace,
  params: ReplayParams,
): Promise<WebhookReplay> {
  checkParams(params)
  const { organizationId } = place
  const { after, startTime, endTime, eventTypes, onlyFailed = false } = params
  return audited(administrator, async (transaction) => {
    const endpoint = await lockEndpoint(transaction, place)
    requireEnabled(endpoint, 'events are replayed')
    const { id } = endpoint
    if ((await findReplay(transaction, id))?.status === 'running')
      throw new ServiceError(
        'WEBHOOK_REPLAY_RUNNING',
        'A replay to the webhook endpoint is under way: wait for its end, or cancel it.',
      )
    const known = await knownSequences(transaction, organizationId)
    if (after !== undefined) requireKnownPlace(after, known)
    const { newest } = known
    const sequenceOf = (time: number) =>
      sequenceBefore(transaction, { organizationId, time, newest })
    const begin = after === undefined ? await sequenceOf(startTime ?? 0) : BigInt(after)
    const range = { after: latestOf(begin, known.expired), end: newest }
    if (endTime !== undefined) range.end = latestOf(await sequenceOf(endTime), range.after)
    await transaction`
      insert into app.webhook_replay
        (endpoint_id, after_sequence, end_sequence, position, event_types, only_failed)
      values (${id}, ${String(range.after)}, ${String(range.end)}, ${String(range.after)},
        ${eventTypes ? [...eventTypes] : null}, ${onlyFailed})
      on conflict (endpoint_id) do update set id = excluded.id,
        after_sequence = excluded.after_sequence, end_sequence = excluded.end_sequence,
        position = excluded.position, event_types = excluded.event_types,
        only_failed = excluded.only_failed, event_count = 0, created_at = now(), canceled_at = null`
    const result = await requireReplay(transaction, id)
    const details = { after: String(range.after), end: String(range.end), eventTypes, onlyFailed }
    const entry = { action: 'webhook.replay', subject: id, organizationId, details } as const
    return { result, entry }
  })
}

function checkParams({ after, startTime, endTime, eventTypes }: ReplayParams) {
  const begin =
    (after === undefined) === (startTime === undefined)
      ? invalidFields([{ field: 'after', description: 'expected either after or startTime' }])
      : undefined
  const end =
    endTime !== undefined && startTime !== undefined && endTime <= startTime
      ? invalidFields([{ field: 'endTime', description: 'expected a time after startTime' }])
      : undefined
  refuseTogether([begin, refusedAfter(after), end, refusedEventTypes(eventTypes)])
}

/** The newest replay to an endpoint. Throws `WEBHOOK_ENDPOINT_NOT_FOUND` or `WEBHOOK_REPLAY_NOT_FOUND`. */
export async function getReplay(sql: Sql, place: EndpointPlace): Promise<WebhookReplay> {
  const { id } = await getEndpoint(sql, place)
  return requireReplay(sql, id)
}

/**
 * Ends a replay: it sends no further events than those that wait for delivery already. One that has ended stays as it is.
 * Throws as `getReplay`.
 */
export function cancelReplay(
  administrator: WebhookAdministrator,
  place: EndpointPlace,
): Promise<WebhookReplay> {
  return audited(administrator, async (transaction) => {
    const { id } = await lockEndpoint(transaction, place)
    const { status } = await requireReplay(transaction, id)
    const isUnderWay = status === 'running' || status === 'paused'
    if (isUnderWay) {
      await transaction`
        update app.webhook_replay set canceled_at = now() where endpoint_id = ${id}`
      // Newer events do not wait for it any more.
      await wakeWaiting(transaction, id)
    }
    const { organizationId } = place
    const entry = { action: 'webhook.cancel_replay', subject: id, organizationId } as const
    return { result: await requireReplay(transaction, id), entry: isUnderWay ? entry : null }
  })
}

async function requireReplay(sql: ISql, endpointId: string): Promise<WebhookReplay> {
  const found = await findReplay(sql, endpointId)
  if (!found)
    throw new ServiceError(
      'WEBHOOK_REPLAY_NOT_FOUND',
      'No events were replayed to the webhook endpoint yet.',
    )
  return found
}

async function findReplay(sql: ISql, endpointId: string): Promise<WebhookReplay | undefined> {
  const [found] = await sql<WebhookReplay[]>`
    select r.id, r.event_count as "eventCount", d.sent as "sentCount",
      d.failed as "failedCount", r.after_sequence as "afterSequence",
      r.end_sequence as "endSequence", r.position, r.created_at as "createdAt",
      case when r.canceled_at is not null then 'canceled'
        when r.position = r.end_sequence and d.waiting = 0 then 'completed'
        when w.status = 'disabled' then 'paused' else 'running' end as status
    from app.webhook_replay r join app.webhook_endpoint w on w.id = r.endpoint_id
    cross join lateral (
      select (count(*) filter (where status = 'delivered'))::integer as sent,
        (count(*) filter (where status = 'dead'))::integer as failed,
        (count(*) filter (where status = 'waiting'))::integer as waiting
      from app.webhook_delivery d where d.replay_id = r.id
    ) d
    where r.endpoint_id = ${endpointId}`
  return found
}
