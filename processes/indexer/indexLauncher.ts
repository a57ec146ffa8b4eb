import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import {
  type Build,
  dropOldBuilds,
  failBuild,
  unlockPonder,
  readBuildProgress,
  registerBuild,
  serveBuild,
} from '../../db/indexBuilds.ts'
import { createReadIndexes } from '../../db/readIndexes.ts'
import type { ReadChain } from '../../db/readViews/chainViews.ts'
import type { Logger } from '../logger.ts'
import type { PonderProcess } from './ponderProcess.ts'

export type LauncherOptions = {
  sql: Sql
  build: Build
  /** All chains of the address book, for the views that join them. */
  chains: ReadChain[]
  startPonder: () => PonderProcess
  signal: AbortSignal
  logger: Logger
}

const LOOK_MS = 100
const RESTART_MS = [0, 500, 2_000, 5_000, 15_000]

/** Keeps Ponder running on one build, and makes that build the served one as soon as it is level. */
export async function runLauncher(options: LauncherOptions): Promise<void> {
  const { sql, build, signal, logger } = options
  let crashes = 0
  while (!signal.aborted) {
    await registerBuild(sql, build)
    await unlockPonder(sql, build.postgresSchema)
    const ponder = options.startPonder()
    const run = new AbortController()
    const stopping = () => void ponder.stop()
    signal.addEventListener('abort', stopping, { once: true })
    const serving = serveWhenLevel(options, AbortSignal.any([signal, run.signal])).then(
      (isServed) => {
        if (isServed) crashes = 0
      },
    )
    const lastWords = await ponder.ended
    run.abort()
    await serving
    signal.removeEventListener('abort', stopping)
    if (signal.aborted) return
    logger.error(
      { postgresSchema: build.postgresSchema, lastWords },
      'Ponder ended, starting again',
    )
    await failBuild(sql, build.postgresSchema, lastWords)
    await sleep(RESTART_MS[Math.min(crashes++, RESTART_MS.length - 1)], undefined, {
      signal,
    }).catch(() => {})
  }
}

/** Resolves to true once the build serves, to false when `signal` came first. */
async function serveWhenLevel(options: LauncherOptions, signal: AbortSignal): Promise<boolean> {
  const { sql, build, chains, logger } = options
  const startedAt = Date.now()
  while (!signal.aborted) {
    try {
      if (await isLevel(sql, build)) {
        await createReadIndexes(sql, build.postgresSchema)
        await serveBuild(sql, build, chains)
        await dropOldBuilds(sql, build.chainIds)
        logger.info({ ...build, durationMs: Date.now() - startedAt }, 'build is served')
        return true
      }
    } catch (error) {
      // A long read holds the views, or the database is away for a moment: what serves goes on.
      logger.warn({ error: String(error), postgresSchema: build.postgresSchema }, 'not served yet')
    }
    await sleep(LOOK_MS, undefined, { signal }).catch(() => {})
  }
  return false
}

/** Ready, and no chain of it behind what the build that serves now has shown to anybody. */
async function isLevel(sql: Sql, build: Build): Promise<boolean> {
  const progress = await readBuildProgress(sql, build)
  if (progress.length === 0 || progress.some(({ isReady }) => !isReady)) return false
  const marks = await sql<{ chainId: number; block: bigint }[]>`
    select chain_id as "chainId", block_number as block from app.index_high_water
    where chain_id = any(${build.chainIds})`
  const mark = new Map(marks.map(({ chainId, block }) => [chainId, block]))
  return progress.every(
    ({ chainId, blockNumber }) => blockNumber !== null && blockNumber >= (mark.get(chainId) ?? 0n),
  )
}
