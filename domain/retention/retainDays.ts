import type { Sql } from 'postgres'

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
  for (const table of Object.values(TABLES))
    await sql`
      select app.make_days(${table}::regclass, today, today + ${DAYS_AHEAD}::integer)
      from (select (now() at time zone 'utc')::date as today) t`
  let dropped = 0
  // Attempts and deliveries first: an event is needed as long as its delivery is kept.
  for (const name of ['attempts', 'deliveries', 'events'] as const) {
    if (kept[name] === 0) continue
    if (name === 'events') await expireEvents(sql, kept.events)
    while (await dropDay(sql, TABLES[name], kept[name])) dropped += 1
  }
  return dropped
}

/** Before they are dropped, so that no list has a part of them. Times of an organization ascend with its sequence. */
function expireEvents(sql: Sql, days: number) {
  return sql`
    update app.event_sequence s set expired = newest.organization_sequence
    from (
      select known.organization_id, e.organization_sequence
      from app.event_sequence known cross join lateral (
        select e.organization_sequence from app.event e
        where e.organization_id = known.organization_id and e.created_at < ${firstKept(sql, days)}
        order by e.created_at desc, e.organization_sequence desc limit 1
      ) e
      where e.organization_sequence > known.expired
    ) newest
    where newest.organization_id = s.organization_id`
}

async function dropDay(sql: Sql, table: string, days: number): Promise<boolean> {
  const [row] = await sql<{ isDropped: boolean }[]>`
    select app.drop_day(${table}::regclass, (${firstKept(sql, days)} at time zone 'utc')::date) as "isDropped"`
  return row?.isDropped ?? false
}

/** The begin of the first day that is kept, by the clock of the database. */
export function firstKept(sql: Sql, days: number) {
  return sql`(
    date_trunc('day', now() at time zone 'utc') - make_interval(days => ${days}::integer)
  ) at time zone 'utc'`
}
