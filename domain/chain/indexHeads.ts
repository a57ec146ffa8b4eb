import type { Fragment, Sql } from 'postgres'
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

/** The part of a head that two heads are compared by: the block itself, or the last block that changed a row. */
export type HeadPart = 'head' | 'lastChange'

/** Reads the heads of all chains. */
export type HeadReader = {
  /** Begins its statement after the call. */
  read(): Promise<IndexHeads>
  /** The heads as a statement saw them that had this snapshot; null where they are not known. It must just have ended. */
  at(snapshot: string): IndexHeads | null
  /** The heads that `at` will probably give for a statement that begins now; null where it will probably know none. */
  recent(): IndexHeads | null
  /** Whether these are the newest heads that this process has seen. Only a hint: others may have been written since. */
  isLatest(heads: IndexHeads, chainIds: readonly number[], part?: HeadPart): boolean
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

/** A row of a statement whose first row alone has the heads, because they are long. */
export type RowWithHeads = { heads: IndexHeads | null }

/** The column of the heads, from `progress`, in the first row of this order. */
export function headsInFirst(sql: Sql, order: Fragment): Fragment {
  return sql`case when row_number() over (order by ${order}) = 1 then progress.heads end as heads`
}

/** Takes the heads from the first row: they move with every block, and are no part of the rows. */
export function takeHeads(rows: readonly RowWithHeads[]): IndexHeads {
  const [first] = rows
  const heads = first?.heads
  if (!heads) throw new Error('Invariant(takeHeads): the first row has the heads')
  first.heads = null
  return heads
}

/** One statement for all requests that come while another runs: it is the same for all. */
const STATEMENTS_AT_ONCE = 1
/** The time in which there is probably no transaction. Otherwise the heads are read at once. */
const RECENT_MS = 30
/** Shorter than the restart of Postgres, which may give numbers of lost transactions to others. */
const LIFE_MS = 200

export function createHeadReader(sql: Sql): HeadReader {
  const latest = new Map<number, HeadNames>()
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
    for (const [chainId, names] of namesByChain(heads)) latest.set(chainId, names)
  }

  return {
    read: () => shared(null),
    at,
    recent,
    isLatest(heads, chainIds, part = 'head') {
      const found = namesByChain(heads)
      return chainIds.every((chainId) => areSame(found.get(chainId), latest.get(chainId), part))
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
 * Reads the heads of all chains. Resolves to them if a value that was read at `heads` is still the same, else to null. It reads
 * nothing where this process knows already that the heads have moved. Give `isSameAt` for a value that follows from rows
 * and finality alone: it says whether a progress finalizes the same parts of the value. Blocks that change no row then count as
 * no change.
 */
export async function headsIfSame(
  headReader: Pick<HeadReader, 'read' | 'isLatest'>,
  heads: IndexHeads,
  chainIds: readonly number[],
  isSameAt?: (progress: IndexProgress[]) => boolean,
): Promise<IndexHeads | null> {
  if (!headReader.isLatest(heads, chainIds, isSameAt ? 'lastChange' : 'head')) return null
  const now = await headReader.read()
  if (areSameHeads(heads, now, chainIds)) return now
  const hasSameRows = isSameAt && areSameHeads(heads, now, chainIds, 'lastChange')
  return hasSameRows && isSameAt(now.progress) ? now : null
}

/**
 * Whether these chains have the same heads at both, or the same last changes. Either means the same rows: a chain's rows follow
 * from its blocks, whose last hash names them all, and from the build that is served. An index that is not ready may
 * have rows above its head.
 */
export function areSameHeads(
  one: IndexHeads,
  other: IndexHeads,
  chainIds: readonly number[],
  part: HeadPart = 'head',
): boolean {
  const [names, others] = [namesByChain(one), namesByChain(other)]
  return chainIds.every((chainId) => areSame(names.get(chainId), others.get(chainId), part))
}

function areSame(names: HeadNames | undefined, others: HeadNames | undefined, part: HeadPart) {
  return names !== undefined && names[part] === others?.[part]
}

type HeadNames = Record<HeadPart, string>

/** Every request compares heads; their names are put together once per statement that read them. */
const byChain = new WeakMap<IndexHeads, ReadonlyMap<number, HeadNames>>()

/** The names of each chain's head and last change. A chain has none if its rows do not follow from its head. */
function namesByChain(heads: IndexHeads): ReadonlyMap<number, HeadNames> {
  const known = byChain.get(heads)
  if (known) return known
  const found = new Map<number, HeadNames>()
  for (const { chain_id, is_ready, block_number, block_hash, last_change_hash } of heads.progress)
    if (is_ready && block_hash !== null)
      found.set(chain_id, {
        head: `${heads.views}:${block_number}:${block_hash}`,
        lastChange: `${heads.views}:${last_change_hash ?? block_hash}`,
      })
  byChain.set(heads, found)
  return found
}
