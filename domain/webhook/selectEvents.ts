import type { Fragment, ISql, Sql } from 'postgres'
import { type Filter, pinnedValue } from '../filter/filter.ts'
import { filterToSql } from '../filter/filterToSql.ts'
import { judgeFilter } from '../filter/judgeFilter.ts'
import { matchesEventPattern, typesOf } from './eventPattern.ts'
import type { EventQuery } from './eventQuery.ts'
import { resourcesOf } from './eventResource.ts'
import { EVENT_TYPES, type EventType } from './eventTypes.ts'
import {
  type DayRange,
  daysAfter,
  hasDay,
  isWithin,
  type LogDay,
  stretches,
  timeOf,
  wholeDays,
} from './logDays.ts'

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

/**
 * The events of a page: first where the log begins and ends, then its days from the page's begin on, until the page is full.
 * What is recorded meanwhile is after its newest event; what is dropped meanwhile, not after its `expired`.
 */
export async function selectEvents(
  sql: Sql,
  organizationId: string,
  { after, isFromNow, startTime, filter, pageSize }: EventQuery,
): Promise<SelectedEvents> {
  const { newest, expired } = await knownSequences(sql, organizationId)
  let begin = latestOf(expired, isFromNow ? newest : BigInt(after ?? 0))
  if (startTime !== null) {
    const before = await sequenceBefore(sql, { organizationId, time: startTime, newest })
    begin = latestOf(begin, before)
  }
  const page: SelectedEvents = { rows: [], newest, expired, examinedTo: null }
  if (begin >= newest) return page

  const types = EVENT_TYPES.filter((type) => verdict(filter, type) !== false)
  const isDecided =
    isOfIndex(filter) || (types.length > 0 && types.every((type) => verdict(filter, type) === true))
  const most = isDecided ? pageSize + 1 : MOST_EXAMINED
  const days = await daysWithCandidates(sql, { organizationId, begin, filter })
  const enough = days.filter(({ first }) => first <= begin + BigInt(most)).length
  let examined = 0
  for (const stretch of stretches(days, enough)) {
    const found = await selectStretch(sql, {
      organizationId,
      filter,
      types,
      begin,
      newest,
      range: wholeDays(stretch),
      most: most - examined,
      condition: filter && !isDecided ? filter : null,
      rows: pageSize + 1 - page.rows.length,
    })
    page.rows.push(...found.rows)
    page.expired = found.expired
    examined += found.examined
    if (examined === most) page.examinedTo = found.examinedTo
    if (examined === most || page.rows.length > pageSize) break
  }
  return page
}

/** The days after the begin of a page, without those in which a pinned resource has no events. */
async function daysWithCandidates(
  sql: Sql,
  { organizationId, begin, filter }: Searched,
): Promise<LogDay[]> {
  const resourceId = filter && pinnedValue(filter, 'resourceId')
  const days = await daysAfter(sql, { organizationId, after: begin })
  if (resourceId === null) return days
  const time = await timeOf(sql, { organizationId, resources: resourcesOf(String(resourceId)) })
  return time ? days.filter((day) => hasDay(time, day)) : []
}

type Searched = { organizationId: string; begin: bigint; filter: Filter | null }

type Stretch = Wanted & {
  /** The part of the filter that the candidates may not match. */
  condition: Filter | null
  rows: number
}
type Examined = { expired: bigint; examined: number; examinedTo: bigint | null }
type Row = Examined & ({ organizationSequence: null; event: null } | RecordedBody)

/** The events of some days. */
async function selectStretch(
  sql: Sql,
  wanted: Stretch,
): Promise<Examined & { rows: RecordedBody[] }> {
  const { organizationId, condition, most, range } = wanted
  const [first, ...others] = await sql<Row[]>`
    with examined as materialized (
      select x.* from (${candidates(sql, wanted)}) x order by x.organization_sequence limit ${most}
    )
    select known.expired, (select count(*)::integer from examined) as examined,
      (select max(organization_sequence) from examined) as "examinedTo",
      found.organization_sequence as "organizationSequence", found.body as event
    from app.event_sequence known left join lateral (
      select e.organization_sequence, e.body from examined e
      where ${condition ? filterToSql(sql, condition, columns(sql, range)) : sql`true`}
      order by e.organization_sequence limit ${wanted.rows}
    ) found on true
    where known.organization_id = ${organizationId}
    order by found.organization_sequence`
  if (!first) throw new Error('Invariant(selectEvents): an organization without a newest sequence')
  return { ...first, rows: [first, ...others].filter((row) => row.organizationSequence !== null) }
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

/** The newest sequence of an organization, and the newest that is no longer kept; 0 without events. */
export async function knownSequences(sql: ISql, organizationId: string): Promise<KnownSequences> {
  const [known] = await sql<KnownSequences[]>`
    select last as newest, expired from app.event_sequence where organization_id = ${organizationId}`
  return known ?? { newest: 0n, expired: 0n }
}

/** The later one of two places. */
export function latestOf(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}

export type KnownSequences = { newest: bigint; expired: bigint }

/**
 * The sequence before the first event of this time or later; without such events the newest. Times of an organization
 * ascend with its sequence.
 */
export async function sequenceBefore(
  sql: ISql,
  { organizationId, time, newest }: { organizationId: string; time: number; newest: bigint },
): Promise<bigint> {
  const days = await daysAfter(sql, { organizationId, after: 0n, startTime: time })
  const [first] = days
  if (!first) return newest
  const [found] = await sql<{ sequence: bigint }[]>`
    select e.organization_sequence as sequence from app.event e
    where e.organization_id = ${organizationId}
      and e.created_at >= ${new Date(time * 1_000)}::timestamptz
      and ${isWithin(sql, sql`e.created_at`, wholeDays([first]))}
    order by e.created_at, e.organization_sequence limit 1`
  return (found?.sequence ?? days[1]?.first ?? newest + 1n) - 1n
}

type Wanted = {
  organizationId: string
  filter: Filter | null
  types: readonly EventType[]
  /** The events after `begin` up to `newest`. */
  begin: bigint
  newest: bigint
  range: DayRange
  most: number
}

/** The events of some days after the begin of the page, by the index that leaves out most. */
function candidates(sql: Sql, wanted: Wanted): Fragment {
  const { organizationId, filter, types, begin, newest, range, most } = wanted
  const resourceId = filter && pinnedValue(filter, 'resourceId')
  const endpointId = filter && pinnedValue(filter, 'endpointId')
  const isAfter = (sequence: Fragment) => sql`${sequence} > ${String(begin)}::bigint
    and ${sequence} <= ${String(newest)}::bigint`
  const isOwn = sql`e.organization_id = ${organizationId} and ${isAfter(sql`e.organization_sequence`)}
    and ${isWithin(sql, sql`e.created_at`, range)}`
  const columns = sql`e.id, e.organization_sequence, e.resource, e.type, e.body`
  const eachOf = (column: Fragment, values: readonly string[]) => sql`
    select one.* from unnest(${[...values]}::text[]) wanted (value) cross join lateral (
      select ${columns} from app.event e
      where ${isOwn} and ${column} = wanted.value order by e.organization_sequence limit ${most}
    ) one`
  if (resourceId !== null) return eachOf(sql`e.resource`, resourcesOf(String(resourceId)))
  if (endpointId !== null)
    return sql`
      select ${columns} from (
        select d.event_id, d.event_at from app.webhook_delivery d
        where d.endpoint_id = ${String(endpointId)} and ${isAfter(sql`d.organization_sequence`)}
          and ${isWithin(sql, sql`d.event_at`, range)}
        order by d.organization_sequence limit ${most}
      ) d join app.event e on e.id = d.event_id and e.created_at = d.event_at and ${isOwn}`
  if (types.length < EVENT_TYPES.length) return eachOf(sql`e.type`, types)
  return sql`
    select ${columns} from app.event e
    where ${isOwn} order by e.organization_sequence limit ${most}`
}

function columns(sql: Sql, range: DayRange) {
  return {
    type: equalsOne(sql, sql`e.type`, typesOf),
    resourceId: equalsOne(sql, sql`e.resource`, resourcesOf),
    endpointId: (operator: string, value: unknown) => sql`(exists (
      select 1 from app.webhook_delivery d
      where d.endpoint_id = ${String(value)} and d.event_id = e.id
        and ${isWithin(sql, sql`d.event_at`, range)}
    )) = ${operator === '='}`,
  }
}

/** Compares a column with each of the texts that a value of the filter stands for. */
function equalsOne(sql: Sql, column: Fragment, texts: (value: string) => string[]) {
  return (operator: string, value: unknown) =>
    sql`(${column} = any(${texts(String(value))}::text[])) = ${operator === '='}`
}
