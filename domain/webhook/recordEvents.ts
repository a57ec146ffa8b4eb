import { createHash } from 'node:crypto'
import type { TransactionSql } from 'postgres'
import { activeTraceParent } from '../observation/tracing.ts'
import { type EventType, FIRST_TYPES, LAST_TYPES } from './eventTypes.ts'
import { isWithin } from './logDays.ts'
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
  const { known, sequences } = await readResources(sql, named)
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
  if (recorded.length === 0) return []
  await insertEvents(sql, recorded)
  await countEvents(sql, recorded)
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

type Resources = {
  /** The ids that are recorded. */
  known: Set<string>
  /** The newest sequence of each resource that has events, by its place. */
  sequences: Map<string, number>
}

async function readResources(
  sql: TransactionSql,
  events: readonly (NewEvent & { id: string })[],
): Promise<Resources> {
  const resources = await sql<
    { organizationId: string; resource: string; last: number; firstAt: Date; lastAt: Date }[]
  >`
    select r.organization_id as "organizationId", r.resource, r.last_sequence as last,
      r.first_at as "firstAt", r.last_at as "lastAt"
    from app.event_resource r join unnest(
      ${events.map(({ organizationId }) => organizationId)}::uuid[],
      ${events.map(({ resource }) => resource)}::text[]
    ) as given (organization_id, resource) using (organization_id, resource)`
  const sequences = new Map(resources.map((row) => [placeOf(row), row.last]))
  const ids = events.filter((event) => sequences.has(placeOf(event))).map(({ id }) => id)
  return { known: ids.length > 0 ? await knownIds(sql, ids, resources) : new Set(), sequences }
}

/** The given ids that are recorded, in the days of their resources. */
async function knownIds(
  sql: TransactionSql,
  ids: readonly string[],
  resources: readonly { firstAt: Date; lastAt: Date }[],
): Promise<Set<string>> {
  const first = Math.min(...resources.map(({ firstAt }) => firstAt.getTime()))
  const last = Math.max(...resources.map(({ lastAt }) => lastAt.getTime()))
  const range = { from: new Date(first), before: new Date(last + 1) }
  const rows = await sql<{ id: string }[]>`
    select id from app.event
    where id = any(${ids}::text[]) and ${isWithin(sql, sql`created_at`, range)}`
  return new Set(rows.map(({ id }) => id))
}

async function insertEvents(sql: TransactionSql, events: readonly RecordedEvent[]) {
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
}

/** Notes the newest event of each organization and resource, and the first one of a day. */
async function countEvents(sql: TransactionSql, events: readonly RecordedEvent[]) {
  const column = <Value>(value: (event: RecordedEvent) => Value) => events.map(value)
  await sql`
    with recorded as materialized (
      select * from unnest(
        ${column(({ organizationId }) => organizationId)}::uuid[],
        ${column(({ organizationSequence }) => String(organizationSequence))}::bigint[],
        ${column(({ resource }) => resource)}::text[],
        ${column(({ resourceSequence }) => resourceSequence)}::integer[],
        ${column(({ createdAt }) => createdAt.toISOString())}::timestamptz[],
        ${column((event) => String(endsResource(event)))}::text[]
      ) as one (organization_id, organization_sequence, resource, resource_sequence, created_at, ends)
    ), days as (
      insert into app.event_day (organization_id, day, first_sequence)
      select organization_id, (created_at at time zone 'utc')::date, min(organization_sequence)
      from recorded group by 1, 2
      on conflict (organization_id, day) do nothing
    ), resources as (
      insert into app.event_resource as known
        (organization_id, resource, last_sequence, first_at, last_at, has_ended)
      select organization_id, resource, max(resource_sequence), min(created_at), max(created_at),
        (array_agg(ends::boolean order by resource_sequence desc))[1]
      from recorded group by 1, 2
      on conflict (organization_id, resource) do update set last_sequence = excluded.last_sequence,
        last_at = excluded.last_at, has_ended = excluded.has_ended
    )
    update app.event_sequence set last = newest.last, last_at = newest.last_at
    from (
      select organization_id, max(organization_sequence) as last, max(created_at) as last_at
      from recorded group by 1
    ) newest
    where event_sequence.organization_id = newest.organization_id`
}

/** Whether its resource has no event after it. */
function endsResource({ type, fields: { reverted_type: reverted } }: NewEvent): boolean {
  return (
    [...LAST_TYPES].some((last) => last === type) || FIRST_TYPES.some((first) => first === reverted)
  )
}
