import type { TransactionSql } from 'postgres'
import type { ServedBuild } from './replaceReadViews.ts'

type Column = { schema: string; table: string; column: string; type: string }

/** Per fact table the selects that its view is the union of, a row per build that has it. */
export type FactBranches = Map<string, string[]>

/**
 * One select per fact table and build, restricted to the build's chains. While builds of different
 * code serve together, a column that one lacks is null for its chains, and a table that it lacks has no
 * rows of them. A column of another type is read as the newest build's.
 */
export async function factBranches(
  sql: TransactionSql,
  builds: ServedBuild[],
): Promise<FactBranches> {
  const schemas = [...new Set(builds.map(({ postgresSchema }) => postgresSchema))]
  const columns = await sql<Column[]>`
    select table_schema as schema, table_name as table, column_name as column, udt_name as type
    from information_schema.columns
    where table_schema = any(${schemas}) and table_name not like '\\_%'
    order by (
      select max(b.created_at) from app.index_build b where b.postgres_schema = table_schema
    ), ordinal_position`
  const tables = Map.groupBy(columns, ({ table }) => table)
  return new Map([...tables].map(([table, ofTable]) => [table, branchesOf(table, ofTable, builds)]))
}

function branchesOf(table: string, columns: Column[], builds: ServedBuild[]): string[] {
  const types = new Map(columns.map(({ column, type }) => [column, type]))
  const present = Map.groupBy(columns, ({ schema }) => schema)
  return builds.flatMap(({ postgresSchema, chainId }) => {
    const own = present.get(postgresSchema)
    if (!own) return []
    const names = new Set(own.map(({ column }) => column))
    const selected = [...types].map(([column, type]) =>
      names.has(column) ? `${column}::${type} as ${column}` : `null::${type} as ${column}`,
    )
    return `select ${selected.join(', ')} from ${postgresSchema}.${table} where chain_id = ${chainId}`
  })
}

/** One `read.<table>` per fact table of any of the builds. */
export function factUnionViews(branches: FactBranches): string[] {
  return [...branches].map(
    ([table, selects]) => `create view read.${table} as ${selects.join(' union all ')}`,
  )
}
