import { type HeadReader, headsColumn, type IndexHeads, SNAPSHOT } from './indexHeads.ts'

/** The columns of `headColumns`. */
export type HeadColumns = { snapshot: string; heads?: IndexHeads | null }

/**
 * The snapshot of a statement in each row; with `hasHeads` the heads of all chains too, in the first row, because they
 * are long.
 */
export function headColumns(hasHeads: boolean): string {
  const snapshot = `(select ${SNAPSHOT}) as snapshot`
  return hasHeads
    ? `${snapshot}, case when row_number() over () = 1 then p.heads end as heads`
    : snapshot
}

/**
 * The tables of `headColumns`, as one row; `here` is the address book's row of a chain. A statement names them before all others, for
 * their locks: whoever replaces the views locks `read.chain_progress`, then `read.chain`, before all tables, and Ponder locks the
 * heads before all tables of a build. So the second to come waits for the first, and neither holds what the other needs.
 */
export function headTables(hasHeads: boolean, chainId: number): string {
  const here = `(select chain_id, eid from read.chain where chain_id = ${chainId}) here`
  return hasHeads
    ? `(select ${headsColumn('c')} as heads from read.chain_progress c) p cross join ${here}`
    : `${here} left join read.chain_finality on false`
}

/**
 * The same for a statement that reads the tables of these builds, where `here` is the whole address book: it names `read.chain`
 * and the heads first too. A view in a subquery would be locked last.
 */
export function tablesOfBuilds(postgresSchemas: string[]): string {
  const heads = [...new Set(postgresSchemas)].map(
    (postgresSchema, number) => `left join ${postgresSchema}.chain_head h${number} on false`,
  )
  return `read.chain here ${heads.join(' ')}`
}

type ReadRows<Row> = { heads: IndexHeads; rows: Row[] }

/**
 * The rows of a statement, with the heads of all chains at the same moment; null where it has no row. The statement runs
 * with the heads only where they are not known at its snapshot. `recent` are the heads that it may suppose; null where it must read
 * them itself.
 */
export async function readWithHeads<Row extends HeadColumns>(
  headReader: HeadReader,
  select: (recent: IndexHeads | null) => Promise<Row[]>,
): Promise<ReadRows<Row> | null> {
  const recent = headReader.recent()
  if (recent) {
    const rows = await select(recent)
    if (!rows[0]) return null
    const heads = headReader.at(rows[0].snapshot)
    // Other views may stand for other builds than the statement has read.
    if (heads?.views === recent.views) return { heads, rows }
  }
  const rows = await select(null)
  const heads = rows[0]?.heads
  if (!heads) return null
  headReader.note(heads)
  return { heads, rows }
}
