import type { Fragment, Sql } from 'postgres'

/**
 * A list whose rows have something in common, its lead, by which an index gives them from the newest on. What the list
 * asks for besides is compared row by row.
 */
export type ExaminedList = {
  pageSize: number
  /** The candidates that the lead finds after the cursor, as a `from` item. Unordered, maybe more than `most`. */
  candidates: (most: number) => Fragment
  /** A `select` of those of the CTE `candidate` that belong to the list, without order. */
  matching: Fragment
  /** Whether a candidate may not belong to the list. */
  isExamined: boolean
  /** The most candidates that a page then looks at. Such a page can be short and still have a token. */
  mostExamined: number
  /** The columns of the order, the newest first. Together they are unique. */
  order: readonly string[]
  /** The place of a row in page tokens, as SQL: its columns as text. By default those of the order. */
  place?: string
}

/**
 * The CTEs of a page: `candidate`; `found`, its rows and one more if there are more; `page_end`, a row with the `place` after
 * which the next page begins, null on the last page.
 */
export function examinedPage(
  sql: Sql,
  { pageSize, candidates, matching, isExamined, mostExamined, order, place }: ExaminedList,
): Fragment {
  const most = isExamined ? mostExamined : pageSize + 1
  const newest = newestFirst(sql, order)
  const placed = sql.unsafe(
    `json_build_array(${place ?? order.map((column) => `${column}::text`).join()})`,
  )
  return sql`
    candidate as materialized (
      select c.* from ${candidates(most)} c order by ${newest} limit ${most}
    ), found as materialized (
      select f.* from (${matching}) f order by ${newest} limit ${pageSize + 1}
    ), page_end as (
      select case
        when (select count(*) from found) > ${pageSize}
          then (select ${placed} from found order by ${newest} offset ${pageSize - 1} limit 1)
        when ${isExamined}::boolean and (select count(*) from candidate) = ${most}
          then (select ${placed} from candidate order by ${sql.unsafe(order.join())} limit 1)
      end as place
    )`
}

export function newestFirst(sql: Sql, order: readonly string[]): Fragment {
  return sql.unsafe(order.map((column) => `${column} desc`).join())
}
