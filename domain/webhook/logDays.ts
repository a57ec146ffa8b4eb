import type { Fragment, ISql } from 'postgres'

const DAY_MS = 86_400_000

/** A day (UTC) of an organization's log. */
export type LogDay = {
  begin: Date
  /** The sequence of its first event. */
  first: bigint
}

/** Times from `from` on and before `before`; null for all. */
export type DayRange = { from: Date | null; before: Date | null }

/**
 * The days of an organization's log, the oldest first: from the day of the next event after a sequence on, and not before the day
 * of `startTime`.
 */
export function daysAfter(
  sql: ISql,
  { organizationId, after, startTime }: DaysWanted,
): Promise<LogDay[]> {
  const day = sql`d.organization_id = ${organizationId}`
  return sql<LogDay[]>`
    select d.day::timestamp at time zone 'utc' as begin, d.first_sequence as first
    from app.event_day d where ${day}
      and d.day >= coalesce((
        select max(d.day) from app.event_day d
        where ${day} and d.first_sequence <= ${String(after)}::bigint + 1
      ), '-infinity')
      and d.day >= coalesce((to_timestamp(${startTime ?? null}::float8) at time zone 'utc')::date, '-infinity')
    order by d.day`
}

/** The time in which resources have their events; null without any. */
export async function timeOf(
  sql: ISql,
  { organizationId, resources }: { organizationId: string; resources: readonly string[] },
): Promise<{ first: Date; last: Date } | null> {
  const [time] = await sql<{ first: Date | null; last: Date | null }[]>`
    select min(first_at) as first, max(last_at) as last from app.event_resource
    where organization_id = ${organizationId} and resource = any(${[...resources]}::text[])`
  return time?.first && time.last ? { first: time.first, last: time.last } : null
}

/** Whether a day has a part of a time. */
export function hasDay({ first, last }: { first: Date; last: Date }, day: LogDay): boolean {
  return day.begin <= last && day.begin.getTime() + DAY_MS > first.getTime()
}

type DaysWanted = {
  organizationId: string
  after: bigint
  /** Unix seconds. */
  startTime?: number | null
}

/** The days with events before a sequence, or all; the newest first. */
export function daysBefore(
  sql: ISql,
  { organizationId, before }: { organizationId: string; before: bigint | null },
): Promise<LogDay[]> {
  return sql<LogDay[]>`
    select d.day::timestamp at time zone 'utc' as begin, d.first_sequence as first
    from app.event_day d
    where d.organization_id = ${organizationId}
      and ${before === null ? sql`true` : sql`d.first_sequence < ${String(before)}::bigint`}
    order by d.day desc`
}

/** The days of the events after one sequence up to another. `from` is null where the first of these days is not in the log any more. */
export async function rangeOf(
  sql: ISql,
  { organizationId, after, last }: { organizationId: string; after: bigint; last: bigint },
): Promise<DayRange> {
  const days = (await daysAfter(sql, { organizationId, after })).filter(
    ({ first }) => first <= last,
  )
  const [oldest] = days
  return {
    from: oldest && oldest.first <= after + 1n ? oldest.begin : null,
    before: endOf(days.at(-1)),
  }
}

/**
 * Days in order, in stretches: the first has `count` of them, each other one four times as many as the one before. A search for
 * what is rare takes few statements, and one for what is common opens few days.
 */
export function* stretches(days: readonly LogDay[], count: number): Generator<LogDay[]> {
  for (let begin = 0, length = Math.max(count, 1); begin < days.length; length *= 4) {
    yield days.slice(begin, begin + length)
    begin += length
  }
}

/** From the begin of the oldest of these days to the end of the newest. */
export function wholeDays(days: readonly LogDay[]): DayRange {
  const begins = days.map(({ begin }) => begin.getTime())
  return { from: new Date(Math.min(...begins)), before: new Date(Math.max(...begins) + DAY_MS) }
}

function endOf(day: LogDay | undefined): Date | null {
  return day ? new Date(day.begin.getTime() + DAY_MS) : null
}

/** Whether a time is in a range. The range is given as values: Postgres then plans with no other partition. */
export function isWithin(sql: ISql, time: Fragment, { from, before }: DayRange): Fragment {
  const begin = from ? sql`${time} >= ${from}::timestamptz` : sql`true`
  const end = before ? sql`${time} < ${before}::timestamptz` : sql`true`
  return sql`(${begin} and ${end})`
}
