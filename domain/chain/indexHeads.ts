import type { Sql } from 'postgres'
import { sharedStatements } from '../watch/sharedStatements.ts'
import type { IndexProgress } from './indexProgress.ts'

/** The progress of chains, in one statement. */
export type IndexHeads = {
  /** The snapshot of the statement: see `SNAPSHOT`. */
  snapshot: string
  /** The identity of the views in `read`. They are made anew whenever another build or address book is served. */
  views: number
  progress: IndexProgress[]
}

/** Reads the heads of all chains. */
export type HeadReader = {
  /** Begins its statement after the call. */
  read(): Promise<IndexHeads>
  /** The heads as a statement saw them that had this snapshot; null where they are not known. It must just have ended. */
  at(snapshot: string): IndexHeads | null
  /** The heads that `at` will probably give for a statement that begins now; null where it will probably know none. */
  recent(): IndexHeads | null
  /** Whether the newest heads that this process has seen are these. Only a hint: others may have been written since. */
  isLatest(heads: IndexHeads, chainIds: readonly number[]): boolean
  /** Notes the heads of all chains that another statement has just read. */
  note(heads: IndexHeads): void
}

/**
 * The transactions whose rows a statement sees, as an expression. Two statements with the same text see the same rows of all
 * tables, as if they were one.
 */
export const SNAPSHOT = 'pg_current_snapshot()::text'

/** The `IndexHeads` of the rows of `read.chain_progress`, as a column of an aggregate. */
export function headsColumn(progress: string): string {
  return `json_build_object(
    'snapshot', ${SNAPSHOT},
    'views', 'read.chain_progress'::regclass::oid::bigint,
    'progress', coalesce(json_agg(${progress}), '[]'))`
}

/** One statement for all requests that come while another runs: it is the same for all. */
const STATEMENTS_AT_ONCE = 1
/** The time in which there is probably no transaction. Otherwise the heads are read at once. */
const RECENT_MS = 30
/** Shorter than the restart of Postgres, which may give numbers of lost transactions to others. */
const LIFE_MS = 200

export function createHeadReader(sql: Sql): HeadReader {
  const latest = new Map<number, string>()
  let kept: { heads: IndexHeads; confirmed: number } | null = null
  const shared = sharedStatements(async (_: null[]) => {
    const known = recent() && at(await selectSnapshot(sql))
    if (known) return known
    const heads = await selectHeads(sql)
    note(heads)
    return heads
  }, STATEMENTS_AT_ONCE)

  function at(snapshot: string): IndexHeads | null {
    const now = performance.now()
    if (!kept || kept.heads.snapshot !== snapshot || now - kept.confirmed > LIFE_MS) return null
    kept.confirmed = now
    return kept.heads
  }

  function recent(): IndexHeads | null {
    return kept && performance.now() - kept.confirmed <= RECENT_MS ? kept.heads : null
  }

  function note(heads: IndexHeads) {
    kept = { heads, confirmed: performance.now() }
    for (const [chainId, head] of headsByChain(heads)) latest.set(chainId, head)
  }

  return {
    read: () => shared(null),
    at,
    recent,
    isLatest(heads, chainIds) {
      const found = headsByChain(heads)
      return chainIds.every((chainId) => areSame(found.get(chainId), latest.get(chainId)))
    },
    note,
  }
}

// A fragment keeps both statements prepared; `unsafe` without a parameter would not be.
async function selectSnapshot(sql: Sql): Promise<string> {
  const [row] = await sql<{ snapshot: string }[]>`select ${sql.unsafe(SNAPSHOT)} as snapshot`
  if (!row) throw new Error('Invariant(indexHeads): a select without a table has one row')
  return row.snapshot
}

async function selectHeads(sql: Sql): Promise<IndexHeads> {
  const [row] = await sql<{ heads: IndexHeads }[]>`
    select ${sql.unsafe(headsColumn('c'))} as heads from read.chain_progress c`
  if (!row) throw new Error('Invariant(indexHeads): an aggregate has one row')
  return row.heads
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
  const [heads, others] = [headsByChain(one), headsByChain(other)]
  return chainIds.every((chainId) => areSame(heads.get(chainId), others.get(chainId)))
}

function areSame(head: string | undefined, other: string | undefined): boolean {
  return head !== undefined && head === other
}

/** Every request compares heads; they are put together once per statement that read them. */
const byChain = new WeakMap<IndexHeads, ReadonlyMap<number, string>>()

/** The name of each chain's head: views, number and hash. A chain has none if its rows do not follow from its head. */
function headsByChain(heads: IndexHeads): ReadonlyMap<number, string> {
  const known = byChain.get(heads)
  if (known) return known
  const names = new Map<number, string>()
  for (const { chain_id, is_ready, block_number, block_hash } of heads.progress)
    if (is_ready && block_hash !== null)
      names.set(chain_id, `${heads.views}:${block_number}:${block_hash}`)
  byChain.set(heads, names)
  return names
}
