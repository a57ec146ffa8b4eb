import { join } from 'node:path'
import { readDatabaseUrl } from '../db/databaseUrl.ts'
import { type Build, registerBuild } from '../db/indexBuilds.ts'
import { readGenerations } from '../db/indexRebuilds.ts'
import { migrate } from '../db/migrate.ts'
import { findPrimary } from '../db/primary.ts'
import { recoverLostViews } from '../db/recoverLostViews.ts'
import { connect } from '../db/sql.ts'
import { indexedContracts } from '../domain/addressBook/indexedChains.ts'
import { findChain } from '../domain/chain/findChain.ts'
import { withDatabase } from './configuration/answeringDatabase.ts'
import { findIndexerDoubts, findProductionDoubts, logDoubts } from './configuration/doubts.ts'
import { orExit } from './configuration/orExit.ts'
import { loadIndexerConfiguration } from './configuration/serviceConfiguration.ts'
import { buildHash } from './indexer/buildHash.ts'
import { holdBuildLock } from './indexer/buildLock.ts'
import { runLauncher } from './indexer/indexLauncher.ts'
import { startPonder } from './indexer/ponderProcess.ts'
import { readIndexerState } from './indexer/readIndexerState.ts'
import { startRelay } from './indexer/relay.ts'
import { createLogger } from './logger.ts'
import { boundedRead } from './metrics/boundedRead.ts'
import { createIndexerMetrics } from './metrics/indexerMetrics.ts'
import { serveMetrics } from './metrics/serveMetrics.ts'
import { requirePatches } from './unpatchedFiles.ts'

/** The indexer process: runs the relay to the nodes of INDEX_CHAINS, and Ponder on the current build. */
await requirePatches()
const configuration = await orExit(loadIndexerConfiguration(process.env))
const { environment, addressBook: book, chainUrls: urls, directUrl } = configuration
const logger = createLogger('indexer', environment.LOG_LEVEL)
logDoubts(logger, findProductionDoubts(book, process.env, findIndexerDoubts))
const root = join(import.meta.dirname, '..')
const shutdown = new AbortController()
for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => shutdown.abort())
process.once('disconnect', () => shutdown.abort())

// An indexer needs sessions for all that it does.
await orExit(withDatabase(directUrl, () => migrate(directUrl)))

const sql = connect(directUrl, { applicationName: 'causeway-indexer', max: 2 })
const chainIds = environment.INDEX_CHAINS
const patienceMs = environment.REORG_PATIENCE_SECONDS * 1_000
const relay = await startRelay(
  chainIds.map((id) => ({
    id,
    finalityDepth: findChain(book, id).finalityDepth,
    contracts: indexedContracts(book, id),
    ...(urls.get(id) ?? { rpcUrls: [], wsUrls: [] }),
    pollIntervalMs: environment.INDEX_POLL_MS,
    patienceMs,
  })),
  logger,
)

/** The build that this process makes, or waits for. */
let current: { build: Build; isWaiting: boolean } | null = null
const { METRICS_HOST: host, INDEXER_METRICS_PORT: port } = environment
const readState = boundedRead(async () =>
  current ? [await readIndexerState({ sql, lines: relay.lines, ...current })] : [],
)
const metrics = createIndexerMetrics(async () => {
  const [state = null] = await readState().catch((error) => {
    logger.warn({ error: String(error) }, 'metrics lack the index')
    return []
  })
  return state
})
const served =
  port === undefined ? null : await serveMetrics(metrics.registry, { host, port, logger })

/** Runs the current build. Resolves to true if another build must follow, to false on shutdown. */
async function runBuild(): Promise<boolean> {
  const generations = await readGenerations(sql, chainIds)
  const hash = await buildHash(root, { book, chainIds, generations })
  const postgresSchema = `index_${chainIds.join('_').slice(0, 26)}_${hash}`
  const build = { postgresSchema, chainIds, buildHash: hash }
  // A role that does not own `app` has not done it in `migrate`, and a lost build would never be served again.
  await recoverLostViews(sql)
  await registerBuild(sql, build)
  current = { build, isWaiting: true }
  const lock = await holdBuildLock(directUrl, postgresSchema, {
    signal: shutdown.signal,
    // Another launcher may take the lock now, so this one must stop writing.
    onLost() {
      logger.error({ postgresSchema }, 'the lock of this build was lost')
      process.exit(1)
    },
    logger,
  })
  if (!lock) return false
  current = { build, isWaiting: false }
  // While this process waited for the lock, a rebuild may have been ordered.
  if ((await readGenerations(sql, chainIds)).join() !== generations.join()) {
    await lock.release()
    return true
  }
  // With another primary the lock is lost, and the process ends.
  const primary = await findPrimary(readDatabaseUrl(directUrl).urls)
  const ending = await runLauncher({
    sql,
    build,
    generations,
    lines: relay.lines,
    patienceMs,
    bookChains: book.chains,
    startPonder: (events) =>
      startPonder({
        ...events,
        root,
        postgresSchema,
        chainIds,
        relayUrl: relay.url,
        databaseUrl: primary.href,
        addressBook: environment.ADDRESS_BOOK,
        logger,
      }),
    signal: shutdown.signal,
    logger,
  })
  await lock.release()
  return ending === 'rebuild'
}

while (await runBuild()) logger.info({ chainIds }, 'the index is built again')
await Promise.all([relay.stop(), served?.stop(), sql.end({ timeout: 2 })])
process.exit(0)
