import type { Fragment, ISql, Sql } from 'postgres'
import { type Filter, pinnedValue } from '../filter/filter.ts'
import { filterToSql } from '../filter/filterToSql.ts'
import { judgeFilter } from '../filter/judgeFilter.ts'
import { DEFAULT_PAGE_SIZE } from '../page/pageParameters.ts'
import { matchesEventPattern, typesOf } from './eventPattern.ts'
import type { EventQuery } from './eventQuery.ts'
import { resourcesOf } from './eventResource.ts'
import { EVENT_TYPES, type EventType } from './eventTypes.ts'

/** A recorded event, in the form that webhooks send. */
export type RecordedBody = {
  /** Counted per organization, from 1, without gaps. */
  organizationSequence: bigint
  event: Record<string, unknown>
}

export type SelectedEvents = {
  /** At most one more than a page. */
  rows: RecordedBody[]
  /** The organization's newest sequence; 0 without events. */
  newest: bigint
  /** The newest sequence that is no longer kept; 0 if all are. */
  expired: bigint
  /** The sequence up to which the filter was applied, if events after it were not examined; else null. */
  examinedTo: bigint | null
}

/** A filtered page examines at most so many events, as an index finds them. */
const MOST_EXAMINED = 500

type Place = { newest: bigint; expired: bigint; examined: number; examinedTo: bigint | null }
type Row = Place & ({ organizationSequence: null; event: null } | RecordedBody)

/** The events of a page, in one statement: what is recorded meanwhile is after its newest event. */
export async function selectEvents(
  sql: Sql,
  organizationId: string,
  { after, isFromNow, startTime, filter, pageSize }: EventQuery,
): Promise<SelectedEvents> {
  const types = EVENT_TYPES.filter((type) => verdict(filter, type) !== false)
  const isDecided =
    isOfIndex(filter) || (types.length > 0 && types.every((type) => verdict(filter, type) === true))
  const most = isDecided ? pageSize + 1 : MOST_EXAMINED
  const condition = filter && !isDecided ? filterToSql(sql, filter, columns(sql)) : sql`true`
  const [first, ...others] = await sql<Row[]>`
    with newest as (
      ${knownSequences(sql, organizationId)}
    ), place as (
      select last, expired, greatest(
        expired,
        ${isFromNow ? sql`last` : sql`${after}::bigint`},
        ${startTime === null ? null : sequenceBefore(sql, organizationId, startTime)}
      ) as begin
      from newest
    ), examined as materialized (
      select x.*
      from (${candidates(sql, { organizationId, filter, types, most })}) x
      order by x.organization_sequence limit ${limitOf(sql, most)}
    )
    select place.last as newest, place.expired, (select count(*)::integer from examined) as examined,
      (select max(organization_sequence) from examined) as "examinedTo",
      found.organization_sequence as "organizationSequence", found.body as event
    from place left join lateral (
      select e.organization_sequence, e.body from examined e
      where ${condition} order by e.organization_sequence limit ${limitOf(sql, pageSize + 1)}
    ) found on true
    order by found.organization_sequence`
  if (!first) throw new Error('Invariant(selectEvents): an organization without a newest sequence')
  return {
    rows: [first, ...others].filter((row) => row.organizationSequence !== null),
    newest: first.newest,
    expired: first.expired,
    examinedTo: first.examined === most ? first.examinedTo : null,
  }
}

/** Whether the candidates of a filter are exactly its matches. */
function isOfIndex(filter: Filter | null): boolean {
  return filter?.type === 'comparison' && filter.operator === '='
}

/** Whether an event of a type matches, whatever else it is; null if that decides. */
function verdict(filter: Filter | null, type: EventType): boolean | null {
  return filter ? judgeFilter(withType(filter, type), { type }) : true
}

/** The filter with each pattern that the type matches replaced by the type. */
function withType(filter: Filter, type: EventType): Filter {
  if (filter.type !== 'comparison')
    return { ...filter, operands: filter.operands.map((operand) => withType(operand, type)) }
  const { key, value } = filter
  const isMatch = key === 'type' && matchesEventPattern(String(value), type)
  return isMatch ? { ...filter, value: type } : filter
}

/**
 * Chooses the pool for the statement of a page. Its text has the filter and the page size. So many texts must not stay prepared
 * in every connection: only the usual one is.
 */
export function pageSql(
  { sql, adHocSql }: { sql: Sql; adHocSql: Sql },
  { filter, pageSize }: { filter: Filter | null; pageSize: number },
): Sql {
  return filter === null && pageSize === DEFAULT_PAGE_SIZE ? sql : adHocSql
}

/** In the text: a plan for any limit would count with a tenth of all rows, so Postgres would plan all days anew for each page. */
export function limitOf(sql: ISql, rows: number): Fragment {
  return sql`${sql.unsafe(String(rows))}`
}

/** A select of the `last` sequence of an organization, and of the newest that is no longer kept, `expired`. */
export function knownSequences(sql: ISql, organizationId: string): Fragment {
  return sql`
    select coalesce(max(last), 0) as last, coalesce(max(expired), 0) as expired
    from app.event_sequence where organization_id = ${organizationId}`
}

/**
 * The sequence before the first event of this time or later; without such events the newest, `last`. Times of an organization
 * ascend with its sequence.
 */
export function sequenceBefore(sql: ISql, organizationId: string, time: number): Fragment {
  return sql`coalesce((
    select e.organization_sequence - 1 from app.event e
    where e.organization_id = ${organizationId}
      and e.created_at >= to_timestamp(${time}::float8)
    order by e.created_at, e.organization_sequence limit 1
  ), last)`
}

type Wanted = {
  organizationId: string
  filter: Filter | null
  types: readonly EventType[]
  most: number
}

/** The events after the begin of the page, by the index that leaves out most. */
function candidates(sql: Sql, { organizationId, filter, types, most }: Wanted): Fragment {
  const resourceId = filter && pinnedValue(filter, 'resourceId')
  const endpointId = filter && pinnedValue(filter, 'endpointId')
  const isOwn = sql`e.organization_id = ${organizationId}
    and e.organization_sequence > (select begin from place)`
  const eachOf = (column: Fragment, values: readonly string[]) => sql`
    select one.* from unnest(${[...values]}::text[]) wanted (value) cross join lateral (
      select e.id, e.organization_sequence, e.resource, e.type, e.body from app.event e
      where ${isOwn} and ${column} = wanted.value order by e.organization_sequence limit ${limitOf(sql, most)}
    ) one`
  if (resourceId !== null) return eachOf(sql`e.resource`, resourcesOf(String(resourceId)))
  if (endpointId !== null)
    return sql`
      select e.id, e.organization_sequence, e.resource, e.type, e.body from (
        select d.event_id, d.event_at from app.webhook_delivery d
        where d.endpoint_id = ${endpointId} and d.organization_sequence > (select begin from place)
        order by d.organization_sequence limit ${limitOf(sql, most)}
      ) d join app.event e on e.id = d.event_id and e.created_at = d.event_at and ${isOwn}`
  if (types.length < EVENT_TYPES.length) return eachOf(sql`e.type`, types)
  return sql`
    select e.id, e.organization_sequence, e.resource, e.type, e.body from app.event e
    where ${isOwn} order by e.organization_sequence limit ${limitOf(sql, most)}`
}

function columns(sql: Sql) {
  return {
    type: equalsOne(sql, sql`e.type`, typesOf),
    resourceId: equalsOne(sql, sql`e.resource`, resourcesOf),
    endpointId: (operator: string, value: unknown) => sql`(exists (
      select 1 from app.webhook_delivery d
      where d.endpoint_id = ${String(value)} and d.event_id = e.id
    )) = ${operator === '='}`,
  }
}

/** Compares a column with each of the texts that a value of the filter stands for. */
function equalsOne(sql: Sql, column: Fragment, texts: (value: string) => string[]) {
  return (operator: string, value: unknown) =>
    sql`(${column} = any(${texts(String(value))}::text[])) = ${operator === '='}`
}
