import type { Sql } from 'postgres'
import { sharedStatements } from '../watch/sharedStatements.ts'
import type { IndexProgress } from './indexProgress.ts'

/** The progress of chains, in one statement. */
export type IndexHeads = {
  /** The identity of the views in `read`. They are made anew whenever another build or address book is served. */
  views: number
  progress: IndexProgress[]
}

/** Reads the heads of all chains. */
export type HeadReader = {
  /** Begins its statement after the call. */
  read(): Promise<IndexHeads>
  /** Whether the newest heads that this process has seen are these. Only a hint: others may have been written since. */
  isLatest(heads: IndexHeads, chainIds: readonly number[]): boolean
  /** Notes heads that another statement has read. */
  note(heads: IndexHeads): void
}

/** The `IndexHeads` of the rows of `read.chain_progress`, as a column of an aggregate. */
export function headsColumn(progress: string): string {
  return `json_build_object(
    'views', 'read.chain_progress'::regclass::oid::bigint,
    'progress', coalesce(json_agg(${progress}), '[]'))`
}

/** One statement for all requests that come while another runs: it is the same for all. */
const STATEMENTS_AT_ONCE = 1

export function createHeadReader(sql: Sql): HeadReader {
  const latest = new Map<number, string>()
  const shared = sharedStatements(async (_: null[]) => {
    // Without a parameter, `unsafe` alone would prepare nothing.
    const [row] = await sql<{ heads: IndexHeads }[]>`
      select ${sql.unsafe(headsColumn('c'))} as heads from read.chain_progress c`
    if (!row) throw new Error('Invariant(indexHeads): an aggregate has one row')
    note(row.heads)
    return row.heads
  }, STATEMENTS_AT_ONCE)

  function note(heads: IndexHeads) {
    for (const row of heads.progress) latest.set(row.chain_id, headOf(heads, row))
  }

  return {
    read: () => shared(null),
    isLatest: (heads, chainIds) =>
      chainIds.every((chainId) => {
        const head = headIn(heads, chainId)
        return head !== null && latest.get(chainId) === head
      }),
    note,
  }
}

/**
 * Whether the rows of these chains are the same at both: a chain's rows follow from its blocks up to the head, whose hash
 * names them all, and from the build that is served. An index that is not ready may have rows above its head.
 */
export function areSameHeads(
  one: IndexHeads,
  other: IndexHeads,
  chainIds: readonly number[],
): boolean {
  return chainIds.every((chainId) => {
    const head = headIn(one, chainId)
    return head !== null && head === headIn(other, chainId)
  })
}

/** Null where the rows do not follow from a head. */
function headIn(heads: IndexHeads, chainId: number): string | null {
  const row = heads.progress.find(({ chain_id }) => chain_id === chainId)
  return row?.is_ready && row.block_hash !== null ? headOf(heads, row) : null
}

function headOf({ views }: IndexHeads, { block_number, block_hash }: IndexProgress): string {
  return `${views}:${block_number}:${block_hash}`
}
