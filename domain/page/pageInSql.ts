import type { Fragment, Sql } from 'postgres'
import type { SharedServices } from '../context.ts'
import { keysOf } from '../filter/filter.ts'
import { type FilterColumns, filterToSql } from '../filter/filterToSql.ts'
import type { ListQuery } from './listQuery.ts'
import { type Page, pageOfRows } from './pageOfRows.ts'
import type { PageCursor } from './pageToken.ts'

/** A list that one index gives in its order, so that a page reads little more than its own rows. */
export type SqlList = {
  /** A `select` of all rows, without order. Filters and the order name its columns. */
  rows: (sql: Sql) => Fragment
  /** The columns of the order with their types. Together they are unique. */
  order: Record<string, string>
  isAscending?: boolean
  /** The SQL of each filter key that is not the name of a column, over a row `r`. */
  columns?: (sql: Sql) => FilterColumns
}

/** The place of a row, as it is in page tokens. */
export type Placed = { place: string[] }

/** One page of a list from the tables of `app`. */
export async function pageInSql<Name extends string, Row extends object>(
  context: Pick<SharedServices, 'appSecret' | 'sql' | 'adHocSql'>,
  query: ListQuery<PageCursor>,
  { name, ...list }: SqlList & { name: Name },
): Promise<Page<Name, Row>> {
  const sql = sqlOfFilter(context, query)
  const rows = await sql<(Row & Placed)[]>`${rowsInOrder(sql, query, list)}`
  return pageOfRows(context, query, { name, rows, place: ({ place }) => place })
}

/** A prepared statement per shape of filter would pile up in every connection. */
export function sqlOfFilter(
  { sql, adHocSql }: Pick<SharedServices, 'sql' | 'adHocSql'>,
  { filter }: Pick<ListQuery<PageCursor>, 'filter'>,
): Sql {
  return filter === null ? sql : adHocSql
}

/** A `select` of the rows after the cursor with their places: one more than a page has. */
export function rowsInOrder(
  sql: Sql,
  { filter, cursor, pageSize }: ListQuery<PageCursor>,
  { rows, order, isAscending = false, columns }: SqlList,
): Fragment {
  const names = Object.keys(order).map((column) => `r."${column}"`)
  const [follows, direction] = isAscending ? ['>', 'asc'] : ['<', 'desc']
  const types = Object.values(order)
  const values = cursor?.flatMap((value, part) => [
    sql.unsafe(part === 0 ? '' : ','),
    // As text, because a Date has no microseconds.
    sql`${String(value)}::text::${sql.unsafe(types[part] ?? 'text')}`,
  ])
  const after = values
    ? sql`(${sql.unsafe(names.join())}) ${sql.unsafe(follows)} (${values})`
    : sql`true`
  const named = filter ? keysOf(filter) : []
  const compared = {
    ...Object.fromEntries(named.map((key) => [key, sql.unsafe(`r."${key}"`)])),
    ...columns?.(sql),
  }
  return sql`
    select r.*, json_build_array(${sql.unsafe(names.map((name) => `${name}::text`).join())}) as place
    from (${rows(sql)}) r
    where ${filterToSql(sql, filter, compared)} and ${after}
    order by ${sql.unsafe(names.map((name) => `${name} ${direction}`).join())} limit ${pageSize + 1}`
}
