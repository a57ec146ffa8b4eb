import { connect } from '../../db/sql.ts'

/**
 * Deletes every index build and high-water mark. After a kill the local nodes may have lost blocks that
 * were indexed. Indexing the local chains again takes seconds. False if there was no build.
 */
export async function forgetIndex(databaseUrl: string): Promise<boolean> {
  const sql = connect(databaseUrl, { applicationName: 'causeway-start', max: 1 })
  try {
    const builds = await sql<{ schema: string }[]>`
      select distinct postgres_schema as schema from app.index_build`
    if (builds.length === 0) return false
    await sql`drop schema if exists read cascade`
    // Ponder's cache has blocks and logs that the chains may no longer have.
    await sql`drop schema if exists ponder_sync cascade`
    for (const { schema } of builds) await sql`drop schema if exists ${sql(schema)} cascade`
    await sql`truncate app.index_build, app.index_high_water`
    await sql`select app.begin_empty_index()`
    return true
  } finally {
    await sql.end({ timeout: 1 })
  }
}
