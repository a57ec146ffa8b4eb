import type { Sql } from 'postgres'
import type { IndexProgress } from './indexProgress.ts'

/** The pools of one server of Postgres that has the index. */
export type IndexPools = {
  sql: Sql
  /**
   * For the heads and single orders, of which one statement runs at a time: few connections, because each backend of Postgres
   * pays for its first touch of every page.
   */
  keySql: Sql
  /** For statements of unbounded variety: never prepared, and limited by a statement timeout. */
  adHocSql: Sql
}

/** What one statement has read of the index: the heads are those of its snapshot. */
export type ReadRows = {
  heads: IndexProgress[]
  /** The chains on whose rows it depends; null if it also depends on other facts. */
  chainIds: readonly number[] | null
}

/**
 * Runs one statement on the index: on a replica whose heads are those of the primary, else on the primary. `select` uses the
 * given pools, and may be called several times.
 */
export type ReadIndex = <Read extends ReadRows>(
  select: (pools: IndexPools) => Promise<Read>,
) => Promise<Read>
