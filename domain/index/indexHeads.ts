import type { Fragment, Sql } from 'postgres'
import { SERVED_HEADS } from '../../db/readViews/chainViews.ts'
import { gather } from '../cache/gather.ts'
import type { IndexProgress } from './indexProgress.ts'

/** The part of a head that two heads are compared by: the block itself, or the last block that changed a row. */
export type HeadPart = 'block_hash' | 'last_change_hash'

/** The heads of all served chains, as they are read by one process. */
export type HeadReader = {
  /** Begins its statement after the call. All that call while one runs share the next. */
  read(): Promise<IndexProgress[]>
  /** Notes heads that another statement has just read. */
  note(heads: IndexProgress[]): void
  /** The newest heads that this process has seen; null before the first. Others may have been written since. */
  latest(): IndexProgress[] | null
}

/** `leastMs` is the time from the beginning of a statement to that of the next. */
export function createHeadReader(sql: Sql, leastMs = 0): HeadReader {
  let latest: IndexProgress[] | null = null
  const read = gather<null, IndexProgress[]>(async () => {
    // Not all of it by `unsafe`, which prepares nothing without a parameter: planning takes twice as long as reading.
    const [row] = await sql<{ heads: IndexProgress[] }[]>`
      select ${sql.unsafe(headsColumn('h'))} as heads from (${sql.unsafe(SERVED_HEADS)}) h`
    if (!row) throw new Error('Invariant(indexHeads): an aggregate has one row')
    latest = row.heads
    return row.heads
  }, leastMs)
  return {
    read: () => read(null),
    note(heads) {
      latest = heads
    },
    latest: () => latest,
  }
}

/** The heads of all chains, from `read.chain_progress`, as a column of an aggregate. */
export function headsColumn(progress: string): string {
  return `coalesce(json_agg(${progress}), '[]')`
}

/** A row of a statement whose first row alone has the heads, because they are long. */
export type RowWithHeads = { heads: IndexProgress[] | null }

/** The column of the heads, from `progress`, in the first row of this order. */
export function headsInFirst(sql: Sql, order: Fragment): Fragment {
  return sql`case when row_number() over (order by ${order}) = 1 then progress.heads end as heads`
}

/** Takes the heads from the first row: they move with every block, and are no part of the rows. */
export function takeHeads(rows: readonly RowWithHeads[]): IndexProgress[] {
  const [first] = rows
  const heads = first?.heads
  if (!heads) throw new Error('Invariant(takeHeads): the first row has the heads')
  first.heads = null
  return heads
}

/**
 * Whether these chains have the same heads at both, or the same last changes. Either means the same rows: a chain's rows follow
 * from its blocks, whose last hash names them all, and from the build that is served. An index that is not ready may
 * have rows above its head.
 */
export function areSameHeads(
  one: IndexProgress[],
  other: IndexProgress[],
  chainIds: readonly number[],
  part: HeadPart = 'block_hash',
): boolean {
  return chainIds.every((chainId) => {
    const head = one.find(({ chain_id }) => chain_id === chainId)
    const now = other.find(({ chain_id }) => chain_id === chainId)
    return (
      head?.is_ready &&
      now?.is_ready === true &&
      head.build === now.build &&
      head[part] === now[part]
    )
  })
}
