import { createHash } from 'node:crypto'
import type { TransactionSql } from 'postgres'
import { activeTraceParent } from '../observation/tracing.ts'
import type { EventType } from './eventTypes.ts'
import { type Routed, recordDeliveries } from './recordDeliveries.ts'

export type NewEvent = Routed & {
  /** Its subject, such as `smart_deposit:<deposit id>`; events of one resource are sent in order. */
  resource: string
  /** Its name within the organization and resource: an event of the same name is recorded once. */
  name: string
  /** The fields of its body, besides those of every event. */
  fields: Record<string, unknown>
}

export type RecordedEvent = NewEvent & {
  id: string
  organizationSequence: bigint
  /** Counted per organization and resource, from 1. */
  resourceSequence: number
  createdAt: Date
}

/** The body that is signed and sent, and that a replay shows. */
export type EventBody = {
  id: string
  type: EventType
  timestamp: string
  version: 'v2'
  sequence: number
  [field: string]: unknown
}

/**
 * Records new events and their deliveries, in the given order, in the caller's transaction, so that they
 * commit together with their cause. Returns the events that were not recorded before. Locks organizations
 * until the transaction ends, so call it last.
 */
export async function recordEvents(
  sql: TransactionSql,
  events: readonly NewEvent[],
): Promise<RecordedEvent[]> {
  if (events.length === 0) return []
  const lastOf = await lockOrganizations(sql, events)
  const named = events.map((event) => ({ ...event, id: eventId(event) }))
  const known = await knownIds(sql, named)
  const sequences = await lastSequences(sql, events)
  const now = Date.now()
  const recorded: RecordedEvent[] = []
  for (const event of named) {
    if (known.has(event.id)) continue
    known.add(event.id)
    const place = placeOf(event)
    const last = lastOf.get(event.organizationId)
    const organizationSequence = (last?.sequence ?? 0n) + 1n
    const createdAt = new Date(Math.max(now, last?.at?.getTime() ?? 0))
    const resourceSequence = (sequences.get(place) ?? 0) + 1
    lastOf.set(event.organizationId, { sequence: organizationSequence, at: createdAt })
    sequences.set(place, resourceSequence)
    recorded.push({ ...event, organizationSequence, resourceSequence, createdAt })
  }
  await insertEvents(sql, recorded, lastOf)
  await recordDeliveries(sql, recorded)
  return recorded
}

/** The form of an event's id. */
export const EVENT_ID = /^evt_[0-9a-f]{40}$/

function eventId({ organizationId, resource, name }: NewEvent): string {
  const hash = createHash('sha256').update(JSON.stringify([organizationId, resource, name]))
  return `evt_${hash.digest('hex').slice(0, 40)}`
}

function placeOf({ organizationId, resource }: Pick<NewEvent, 'organizationId' | 'resource'>) {
  return `${organizationId} ${resource}`
}

function bodyOf(event: RecordedEvent): EventBody {
  const { id, type, createdAt, resourceSequence, fields } = event
  return {
    id,
    type,
    timestamp: createdAt.toISOString(),
    version: 'v2',
    sequence: resourceSequence,
    ...fields,
  }
}

/** The fields of a body, besides those of every event. */
export function ownFields(body: EventBody): Record<string, unknown> {
  const { id, type, timestamp, version, sequence, ...fields } = body
  return fields
}

/** The newest event of an organization; `at` is null before the first. */
type Newest = { sequence: bigint; at: Date | null }

/** In a fixed order, so that two transactions never wait for each other. */
async function lockOrganizations(
  sql: TransactionSql,
  events: readonly NewEvent[],
): Promise<Map<string, Newest>> {
  const organizations = [...new Set(events.map(({ organizationId }) => organizationId))].sort()
  const rows = await sql<(Newest & { organizationId: string })[]>`
    insert into app.event_sequence as known (organization_id, last)
    select id, 0 from unnest(${organizations}::uuid[]) as id order by id
    on conflict (organization_id) do update set last = known.last
    returning organization_id as "organizationId", last as sequence, last_at as at`
  return new Map(rows.map(({ organizationId, ...newest }) => [organizationId, newest]))
}

async function knownIds(
  sql: TransactionSql,
  events: readonly { id: string }[],
): Promise<Set<string>> {
  const ids = events.map(({ id }) => id)
  const rows = await sql<{ id: string }[]>`
    select id from app.event where id = any(${ids}::text[])`
  return new Set(rows.map(({ id }) => id))
}

async function lastSequences(
  sql: TransactionSql,
  events: readonly NewEvent[],
): Promise<Map<string, number>> {
  const organizations = events.map(({ organizationId }) => organizationId)
  const resources = events.map(({ resource }) => resource)
  const rows = await sql<{ organizationId: string; resource: string; last: number }[]>`
    select place.organization_id as "organizationId", place.resource, newest.last
    from (
      select distinct * from unnest(${organizations}::uuid[], ${resources}::text[])
        as given (organization_id, resource)
    ) place
    cross join lateral (
      select resource_sequence as last from app.event
      where event.organization_id = place.organization_id and event.resource = place.resource
      order by organization_sequence desc limit 1
    ) newest`
  return new Map(rows.map((row) => [placeOf(row), row.last]))
}

async function insertEvents(
  sql: TransactionSql,
  events: readonly RecordedEvent[],
  lastOf: ReadonlyMap<string, Newest>,
) {
  if (events.length === 0) return
  const column = <Value>(value: (event: RecordedEvent) => Value) => events.map(value)
  await sql`
    insert into app.event (id, organization_id, organization_sequence, resource, resource_sequence,
      type, created_at, body, trace_parent)
    select id, organization, organization_sequence, resource, sequence, type, created_at, body::json,
      ${activeTraceParent()}::text
    from unnest(
      ${column(({ id }) => id)}::text[],
      ${column(({ organizationId }) => organizationId)}::uuid[],
      ${column(({ organizationSequence }) => String(organizationSequence))}::bigint[],
      ${column(({ resource }) => resource)}::text[],
      ${column(({ resourceSequence }) => resourceSequence)}::integer[],
      ${column(({ type }) => type)}::text[],
      ${column(({ createdAt }) => createdAt.toISOString())}::timestamptz[],
      ${column((event) => JSON.stringify(bodyOf(event)))}::text[]
    ) as new (id, organization, organization_sequence, resource, sequence, type, created_at, body)`
  const newest = [...lastOf.values()]
  await sql`
    update app.event_sequence set last = newest.last, last_at = newest.last_at
    from unnest(
      ${[...lastOf.keys()]}::uuid[],
      ${newest.map(({ sequence }) => String(sequence))}::bigint[],
      ${newest.map(({ at }) => at?.toISOString() ?? null)}::timestamptz[]
    ) as newest (organization_id, last, last_at)
    where event_sequence.organization_id = newest.organization_id`
}
