import type { Fragment, Sql } from 'postgres'

/** For how many days each is kept; 0 for ever. */
export type RetentionDays = { events: number; deliveries: number; attempts: number }

/** So many days have their partition before they come: as long as no worker may run. */
const DAYS_AHEAD = 7

/** The tables that grow with time. Their partitions are days. */
export const TABLES = {
  events: 'app.event',
  deliveries: 'app.webhook_delivery_ended',
  attempts: 'app.webhook_attempt',
} as const satisfies Record<keyof RetentionDays, string>

/**
 * Makes the partitions of the days to come and drops those of days that are no longer kept. Returns how many it dropped.
 * Each takes its locks for a moment, or throws 55P03 where a reader holds a table for longer: all may be called again.
 */
export async function retainDays(sql: Sql, kept: RetentionDays): Promise<number> {
  const today = await readToday(sql)
  // Today comes last: rows that came before its partition are moved there, which may fail beside a long transaction.
  for (const ahead of [...Array(DAYS_AHEAD).keys()].map((index) => index + 1).concat(0))
    for (const table of Object.values(TABLES))
      await sql`select app.make_day(${table}::regclass, ${today}::date + ${ahead}::integer)`
  let dropped = 0
  // Attempts and deliveries first: an event is needed as long as its delivery is kept.
  for (const name of ['attempts', 'deliveries', 'events'] as const) {
    if (kept[name] === 0) continue
    // One day for both steps: at midnight the second would drop what the first has not expired.
    const before = firstKept(sql, today, kept[name])
    if (name === 'events') await expireEvents(sql, before)
    while (await dropDay(sql, TABLES[name], before)) dropped += 1
  }
  return dropped
}

/** Before they are dropped, so that no list has a part of them. Times of an organization ascend with its sequence. */
function expireEvents(sql: Sql, before: Fragment) {
  return sql`
    with newest as (
      select known.organization_id, known.expired, coalesce((
        select min(d.first_sequence) - 1 from app.event_day d
        where d.organization_id = known.organization_id and d.day >= ${before}
      ), known.last) as sequence
      from app.event_sequence known
    ), locked as materialized (
      -- In the order of those who record events: two never wait for each other.
      select s.organization_id, newest.sequence
      from app.event_sequence s join newest using (organization_id)
      where newest.sequence > newest.expired
      order by s.organization_id for no key update of s
    )
    update app.event_sequence s set expired = locked.sequence
    from locked where locked.organization_id = s.organization_id`
}

/** Drops the oldest day of a table before a day; false if there is none. */
export async function dropDay(sql: Sql, table: string, before: Fragment): Promise<boolean> {
  const [row] = await sql<{ isDropped: boolean }[]>`
    select app.drop_day(${table}::regclass, ${before}) as "isDropped"`
  return row?.isDropped ?? false
}

/** The day in UTC by the clock of the database, as `yyyy-mm-dd`. */
export async function readToday(sql: Sql): Promise<string> {
  const [row] = await sql<{ today: string }[]>`
    select to_char(now() at time zone 'utc', 'YYYY-MM-DD') as today`
  if (!row) throw new Error('Invariant(retainDays): the database has no day')
  return row.today
}

/** The first day that is kept. */
export function firstKept(sql: Sql, today: string, days: number): Fragment {
  return sql`(${today}::date - ${days}::integer)`
}
