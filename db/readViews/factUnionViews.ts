import type { TransactionSql } from 'postgres'
import type { ServedBuild } from './servedBuild.ts'

type Column = { schema: string; table: string; column: string; type: string }

/** A select of one chain's rows. It ends in a condition, so more can be added with `and`. */
export type FactBranch = {
  chainId: number
  select: string
}

/** The selects of each fact table, one per chain: the view of the table is their union. */
export type FactBranches = Map<string, FactBranch[]>

/**
 * One select per fact table and chain. Builds of different versions can serve together. A column that
 * a build lacks is null for its chains; a table that it lacks fails when their rows are read. A column
 * is cast to its type in the newest build.
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

function branchesOf(table: string, columns: Column[], builds: ServedBuild[]): FactBranch[] {
  const types = [...new Map(columns.map(({ column, type }) => [column, type]))]
  const present = Map.groupBy(columns, ({ schema }) => schema)
  return builds.map(({ postgresSchema, chainId }) => {
    const own = present.get(postgresSchema)
    if (!own) return { chainId, select: notIndexed(table, chainId, types) }
    const ownTypes = new Map(own.map(({ column, type }) => [column, type]))
    const selected = types.map(([column, type]) => {
      const ownType = ownTypes.get(column)
      // Even a cast to its own type would keep an index from giving rows in their order.
      if (ownType === type) return column
      return `${ownType ? column : null}::${type} as ${column}`
    })
    const from = `${postgresSchema}.${table} where chain_id = ${chainId}`
    return { chainId, select: `select ${selected.join(', ')} from ${from}` }
  })
}

/**
 * The chain is a constant, so a query for other chains does not call the function. The other columns
 * come from the function: if they were constants, Postgres could see that no row fits, and not call it.
 */
function notIndexed(table: string, chainId: number, types: [string, string][]): string {
  const others = types.filter(([column]) => column !== 'chain_id')
  const columns = types.map(([column]) =>
    column === 'chain_id' ? `${chainId}::integer as chain_id` : column,
  )
  const returned = others.map((column) => column.join(' ')).join(', ')
  const rows = `select ${columns.join(', ')}
    from read.not_indexed(${chainId}, '${table}') as nothing (${returned})`
  return `select * from (${rows}) rows where chain_id = ${chainId}`
}

/** One `read.<table>` per fact table of any of the builds. */
export function factUnionViews(facts: FactBranches): string[] {
  return [...facts].map(
    ([table, branches]) =>
      `create view read.${table} as ${branches.map(({ select }) => select).join(' union all ')}`,
  )
}
