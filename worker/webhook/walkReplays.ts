import type { Logger } from 'pino'
import type { Sql, TransactionSql } from 'postgres'
import { type Loop, startLoop } from '../../domain/loop/startLoop.ts'
import { wakeQueues } from '../../domain/webhook/deliveryJobs.ts'
import { matchesEventPattern } from '../../domain/webhook/eventPattern.ts'
import { type DayRange, isWithin, rangeOf } from '../../domain/webhook/logDays.ts'
import { routedOf } from '../../domain/webhook/loggedEvent.ts'
import {
  type DeliverableEvent,
  insertDeliveries,
  isSubscribedTo,
  listSubscribers,
  sendAgain,
} from '../../domain/webhook/recordDeliveries.ts'
import type { EventBody } from '../../domain/webhook/recordEvents.ts'

const EVERY_MS = 500
/** A replay goes on while fewer of its deliveries wait for their first attempt: it must not fill the queue of jobs. */
const MOST_WAITING = 500
/** Events that become deliveries in one transaction. */
const MOST_AT_ONCE = 500
/** Events that one transaction looks at. */
const MOST_EXAMINED = 5_000

type Replay = {
  id: string
  endpointId: string
  organizationId: string
  position: bigint
  end: bigint
  eventTypes: string[] | null
  onlyFailed: boolean
}

type Logged = DeliverableEvent & { body: EventBody }

/** Makes the events of replays wait for delivery, a few at a time and in the order of the log. */
export function walkReplays(sql: Sql, { logger }: { logger: Logger }): Loop {
  return startLoop({
    run: () => walkAll(sql),
    everyMs: EVERY_MS,
    onFailure: (error) => logger.warn({ err: error }, 'replays of webhooks do not go on'),
  })
}

async function walkAll(sql: Sql) {
  const replays = await sql<{ endpointId: string }[]>`
    select r.endpoint_id as "endpointId" from app.webhook_replay r
    join app.webhook_endpoint w on w.id = r.endpoint_id and w.status = 'enabled'
    where r.position < r.end_sequence and r.canceled_at is null and (
      select count(*) from (
        select 1 from app.webhook_delivery d
        where d.replay_id = r.id and d.status = 'waiting' and d.attempts = 0 limit ${MOST_WAITING}
      ) waiting
    ) < ${MOST_WAITING}
    order by r.created_at`
  for (const { endpointId } of replays)
    await sql.begin((transaction) => walk(transaction, endpointId))
}

async function walk(sql: TransactionSql, endpointId: string) {
  // Another worker may walk it, or the endpoint is being deleted: whoever holds both locked the endpoint first.
  const [replay] = await sql<Replay[]>`
    select r.id, r.endpoint_id as "endpointId", w.organization_id as "organizationId", r.position,
      r.end_sequence as end, r.event_types as "eventTypes", r.only_failed as "onlyFailed"
    from app.webhook_replay r join app.webhook_endpoint w on w.id = r.endpoint_id
    where r.endpoint_id = ${endpointId} and r.canceled_at is null
    for key share of w skip locked for update of r skip locked`
  if (!replay || replay.position >= replay.end) return
  const { organizationId, eventTypes } = replay
  const subscriber = (await listSubscribers(sql, [organizationId])).find(
    ({ id }) => id === endpointId,
  )
  if (!subscriber?.isEnabled) return
  const most = replay.position + BigInt(MOST_EXAMINED)
  const last = most < replay.end ? most : replay.end
  const range = await rangeOf(sql, { organizationId, after: replay.position, last })
  const logged = await readLog(sql, replay, { last, range })
  const chosen = logged.filter(({ type, body }) => {
    if (eventTypes && !eventTypes.some((pattern) => matchesEventPattern(pattern, type)))
      return false
    const routed = routedOf(organizationId, body)
    // A dead delivery was chosen when it was recorded.
    return replay.onlyFailed || (routed !== null && isSubscribedTo(subscriber, routed))
  })
  const eventIds = chosen.map(({ id }) => id)
  const again = await sendAgain(sql, { endpointId, eventIds, range, replayId: replay.id })
  const known = new Set(again.map(({ eventId }) => eventId))
  const rest = chosen.filter(({ id }) => !known.has(id))
  await insertDeliveries(
    sql,
    rest.map((event) => ({ endpointId, event })),
    replay.id,
  )
  const position =
    logged.length === MOST_AT_ONCE ? (logged.at(-1)?.organizationSequence ?? last) : last
  await sql`
    update app.webhook_replay
    set position = ${String(position)}, event_count = event_count + ${chosen.length}
    where endpoint_id = ${endpointId}`
  await wakePassed(sql, replay, { last: position, range })
}

/** The events up to `last`, and their days. */
type Part = { last: bigint; range: DayRange }

function readLog(
  sql: TransactionSql,
  { organizationId, endpointId, position, onlyFailed }: Replay,
  { last, range }: Part,
): Promise<Logged[]> {
  return sql<Logged[]>`
    select e.id, e.organization_sequence as "organizationSequence", e.resource,
      e.resource_sequence as "resourceSequence", e.created_at as "createdAt", e.type, e.body
    from app.event e
    where e.organization_id = ${organizationId}
      and e.organization_sequence > ${String(position)}::bigint
      and e.organization_sequence <= ${String(last)}::bigint
      and ${isWithin(sql, sql`e.created_at`, range)}
      and (not ${onlyFailed} or exists (
        select 1 from app.webhook_delivery d
        where d.endpoint_id = ${endpointId} and d.event_id = e.id and d.status = 'dead'
          and ${isWithin(sql, sql`d.event_at`, range)}
      ))
    order by e.organization_sequence limit ${MOST_AT_ONCE}`
}

/** Wakes the queues of what was passed: also of newer events, which waited for these. */
async function wakePassed(
  sql: TransactionSql,
  { organizationId, endpointId, position: before }: Replay,
  { last, range }: Part,
) {
  const queues = await sql<{ resource: string }[]>`
    select passed.resource from (
      select distinct e.resource from app.event e
      where e.organization_id = ${organizationId}
        and e.organization_sequence > ${String(before)}::bigint
        and e.organization_sequence <= ${String(last)}::bigint
        and ${isWithin(sql, sql`e.created_at`, range)}
    ) passed
    where exists (
      select 1 from app.webhook_delivery d
      where d.endpoint_id = ${endpointId} and d.resource = passed.resource and d.status = 'waiting'
    )`
  await wakeQueues(
    sql,
    queues.map(({ resource }) => ({ endpointId, resource })),
    'backlog',
  )
}
