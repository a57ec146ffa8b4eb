import type { ISql, TransactionSql } from 'postgres'
import { wakeQueues } from './deliveryJobs.ts'
import { type EndpointFilter, type EventFacts, eventTest } from './eventFilter.ts'
import { matchesEventPattern } from './eventPattern.ts'
import type { EventType } from './eventTypes.ts'
import { type DayRange, isWithin } from './logDays.ts'

/** The properties of an event that select its endpoints. */
export type Routed = {
  organizationId: string
  type: EventType
  /** Only for orders, requests and vaults, which belong to no organization: endpoints are selected by their filters. */
  facts?: EventFacts | undefined
  /** Only this endpoint, whatever its event types are. */
  onlyEndpointId?: string | undefined
  /** Not this endpoint: the event is about it. */
  exceptEndpointId?: string | undefined
}

/** The place of an event among others. */
export type DeliverableEvent = {
  id: string
  type: EventType
  organizationSequence: bigint
  resource: string
  resourceSequence: number
  createdAt: Date
}
type DeliveredEvent = Routed & DeliverableEvent

type StoredSubscriber = EndpointFilter & {
  id: string
  organizationId: string
  eventTypes: string[]
  isEnabled: boolean
}

/** An endpoint, enabled or not; `passesFilter` applies its filter. */
export type Subscriber = StoredSubscriber & { passesFilter: (facts: EventFacts) => boolean }

type Delivery = { endpointId: string; event: DeliverableEvent }

/** Whether an endpoint selects an event of its organization. */
export function isSubscribedTo(
  subscriber: Subscriber,
  { type, facts, onlyEndpointId, exceptEndpointId }: Routed,
): boolean {
  if (onlyEndpointId !== undefined) return onlyEndpointId === subscriber.id
  if (exceptEndpointId === subscriber.id) return false
  if (!subscriber.eventTypes.some((pattern) => matchesEventPattern(pattern, type))) return false
  return facts === undefined || subscriber.passesFilter(facts)
}

/**
 * All endpoints, or those of some organizations. A disabled one also selects what the log holds: the events of that time can
 * be replayed to it.
 */
export async function listSubscribers(
  sql: TransactionSql,
  organizationIds: readonly string[] | null = null,
): Promise<Subscriber[]> {
  // Locked against deletion, because deliveries refer to them.
  const stored = await sql<StoredSubscriber[]>`
    select w.id, w.organization_id as "organizationId", w.event_types as "eventTypes", w.filter,
      w.status = 'enabled' as "isEnabled", o.default_distributor_code as "defaultDistributorCode"
    from app.webhook_endpoint w join app.organization o on o.id = w.organization_id
    where ${organizationIds}::uuid[] is null or w.organization_id = any(${organizationIds}::uuid[])
    order by w.id for key share of w`
  return stored.map((subscriber) => ({ ...subscriber, passesFilter: eventTest(subscriber) }))
}

/** Inserts the deliveries of these events to enabled endpoints and wakes their queues, which takes effect on commit. */
export async function recordDeliveries(
  sql: TransactionSql,
  events: readonly DeliveredEvent[],
): Promise<void> {
  if (events.length === 0) return
  const subscribers = await listSubscribers(sql, [
    ...new Set(events.map(({ organizationId }) => organizationId)),
  ])
  const ofOrganization = Map.groupBy(subscribers, ({ organizationId }) => organizationId)
  const deliveries = events.flatMap((event) =>
    (ofOrganization.get(event.organizationId) ?? [])
      .filter((subscriber) => subscriber.isEnabled && isSubscribedTo(subscriber, event))
      .map((subscriber): Delivery => ({ endpointId: subscriber.id, event })),
  )
  if (deliveries.length === 0) return
  await insertDeliveries(sql, deliveries)
  const queues = new Map(
    deliveries.map(({ endpointId, event: { resource } }) => [
      `${endpointId} ${resource}`,
      { endpointId, resource },
    ]),
  )
  await wakeQueues(sql, [...queues.values()])
}

/** Inserts deliveries that are not there yet. */
export async function insertDeliveries(
  sql: TransactionSql,
  deliveries: readonly Delivery[],
  replayId: string | null = null,
): Promise<void> {
  if (deliveries.length === 0) return
  const column = <Value>(value: (delivery: Delivery) => Value) => deliveries.map(value)
  await sql`
    insert into app.webhook_delivery
      (endpoint_id, event_id, event_at, event_type, organization_sequence, resource,
        resource_sequence, replay_id)
    select *, ${replayId}::uuid from unnest(
      ${column(({ endpointId }) => endpointId)}::uuid[],
      ${column(({ event }) => event.id)}::text[],
      ${column(({ event }) => event.createdAt.toISOString())}::timestamptz[],
      ${column(({ event }) => event.type)}::text[],
      ${column(({ event }) => String(event.organizationSequence))}::bigint[],
      ${column(({ event }) => event.resource)}::text[],
      ${column(({ event }) => event.resourceSequence)}::integer[]
    )`
}

type Again = {
  endpointId: string
  eventIds: readonly string[]
  /** The days of these events; all if it is not known. */
  range?: DayRange
  replayId?: string
}

type AgainDelivery = { eventId: string; resource: string }

/**
 * Makes deliveries of an endpoint wait like new ones, however they ended. Returns those that are there. The endpoint must be
 * locked against another call of this.
 */
export async function sendAgain(sql: ISql, given: Again): Promise<AgainDelivery[]> {
  const found = await updateAgain(sql, given)
  const known = new Set(found.map(({ eventId }) => eventId))
  const eventIds = given.eventIds.filter((id) => !known.has(id))
  // An update passes over a delivery that ends meanwhile: it is in another partition then.
  return eventIds.length === 0
    ? found
    : [...found, ...(await updateAgain(sql, { ...given, eventIds }))]
}

const ALL_DAYS: DayRange = { from: null, before: null }

function updateAgain(sql: ISql, { endpointId, eventIds, range = ALL_DAYS, replayId }: Again) {
  return sql<AgainDelivery[]>`
    update app.webhook_delivery set status = 'waiting', attempts = 0, next_attempt_at = now(),
      delivered_at = null, replay_id = coalesce(${replayId ?? null}::uuid, replay_id)
    where endpoint_id = ${endpointId} and event_id = any(${[...eventIds]}::text[])
      and ${isWithin(sql, sql`event_at`, range)}
    returning event_id as "eventId", resource`
}
