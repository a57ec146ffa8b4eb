import type { Sql } from 'postgres'
import {
  type Build,
  dropOldBuilds,
  failBuild,
  readLevelChains,
  resumeBuild,
  serveBuild,
} from '../../db/indexBuilds.ts'
import { createReadIndexes } from '../../db/readIndexes.ts'
import type { ReadChain } from '../../db/readViews/chainViews.ts'
import { beginCopy, endOldCopies } from '../../db/transitSides.ts'
import { repeat } from '../../domain/loop/startLoop.ts'
import type { Logger } from '../logger.ts'

export type ServeOptions = {
  sql: Sql
  build: Build
  /** All chains of the address book, for the views that join them. */
  bookChains: ReadChain[]
  logger: Logger
}

const LOOK_MS = 100
const RETRY_MS = [500, 1_000, 5_000, 15_000]
/** The build indexes these last blocks while readers wait, because a fast chain is always a few ahead. */
const NEARLY_BLOCKS = 5

/**
 * Serves the build as soon as it is synced. Resolves to true when it is served, or a build that was
 * deployed later is; to false if `signal` aborts first.
 */
export async function serveWhenSynced(
  options: ServeOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const { sql, build, bookChains, logger } = options
  const startedAt = Date.now()
  let failures = 0
  let isIndexed = false
  let pauseMs = LOOK_MS
  async function serve() {
    pauseMs = LOOK_MS
    const level = await readLevelChains(sql, build, NEARLY_BLOCKS)
    const isServed = await resumeBuild(sql, build, level)
    if (level.length < build.chainIds.length) return false
    if (isServed) return true
    if (!isIndexed) {
      await createReadIndexes(sql, build.postgresSchema)
      await beginCopy(sql, build.postgresSchema)
    }
    isIndexed = true
    if (!(await serveBuild(sql, build, bookChains))) return true
    await dropOldBuilds(sql)
    await endOldCopies(sql)
    logger.info({ ...build, durationMs: Date.now() - startedAt }, 'build is served')
    return true
  }
  async function onFailure(error: unknown) {
    // A long read holds the views, or the database does not answer. Each attempt blocks the readers of
    // the served build, so the pauses grow.
    pauseMs = RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)] ?? LOOK_MS
    logger.warn({ error: String(error), postgresSchema: build.postgresSchema }, 'not served yet')
    // If the database does not answer, only the log has the error.
    if (failures > 1) await failBuild(sql, build.postgresSchema, String(error)).catch(() => {})
  }
  return repeat({ run: serve, everyMs: () => pauseMs, onFailure }, signal)
}
