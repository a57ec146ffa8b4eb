import type { ISql } from 'postgres'

/** Counts events that were written by hand as `recordEvents` counts its own: by resource and by day. */
export async function countEvents(sql: ISql) {
  await sql`delete from app.event_day`
  await sql`
    insert into app.event_day (organization_id, day, first_sequence)
    select organization_id, (created_at at time zone 'utc')::date, min(organization_sequence)
    from app.event group by 1, 2`
  await sql`delete from app.event_resource`
  await sql`
    insert into app.event_resource
      (organization_id, resource, last_sequence, first_at, last_at, has_ended)
    select organization_id, resource, max(resource_sequence), min(created_at), max(created_at), false
    from app.event group by 1, 2`
}
