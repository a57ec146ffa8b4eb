import { connect } from '../../db/sql.ts'

/**
 * Deletes every index build and high-water mark. After a kill the local nodes may have lost blocks that
 * were indexed. Indexing the local chains again takes seconds.
 */
export async function forgetIndex(databaseUrl: string) {
  const sql = connect(databaseUrl, { applicationName: 'causeway-start', max: 1 })
  try {
    const builds = await sql<{ schema: string }[]>`
      select distinct postgres_schema as schema from app.index_build`
    await sql`drop schema if exists read cascade`
    for (const { schema } of builds) await sql`drop schema if exists ${sql(schema)} cascade`
    await sql`truncate app.index_build, app.index_high_water`
    await sql`select app.begin_empty_index()`
  } finally {
    await sql.end({ timeout: 1 })
  }
}
