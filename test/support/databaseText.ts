import type { Sql } from 'postgres'

/** Every row of every table of a database, as text; bytes as hex. */
export async function databaseText(sql: Sql): Promise<string> {
  const tables = await sql<{ schema: string; name: string }[]>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`
  const texts = await Promise.all(
    tables.map(async ({ schema, name }) => {
      const rows = await sql<{ text: string }[]>`
        select t::text as text from ${sql(schema)}.${sql(name)} t`
      return rows.map(({ text }) => text).join('\n')
    }),
  )
  return texts.join('\n')
}
