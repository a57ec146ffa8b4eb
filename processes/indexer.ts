import { join } from 'node:path'
import { migrate } from '../db/migrate.ts'
import { connect } from '../db/sql.ts'
import { loadAddressBook } from '../domain/addressBook/addressBook.ts'
import { indexerVariables, loadChainUrls, loadEnvironment } from './environment.ts'
import { buildHash } from './indexer/buildHash.ts'
import { holdBuildLock } from './indexer/buildLock.ts'
import { runLauncher } from './indexer/indexLauncher.ts'
import { startPonder } from './indexer/ponderProcess.ts'
import { startRelay } from './indexer/relay.ts'
import { createLogger } from './logger.ts'

/** Indexes the chains of INDEX_CHAINS: a relay to their nodes, Ponder behind it, and its builds. */
const environment = loadEnvironment(indexerVariables, process.env)
const logger = createLogger('indexer', environment.LOG_LEVEL)
const root = join(import.meta.dirname, '..')
const shutdown = new AbortController()
for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => shutdown.abort())
process.once('disconnect', () => shutdown.abort())

const book = await loadAddressBook(environment.ADDRESS_BOOK)
const chains = book.chains.filter(({ id }) => environment.INDEX_CHAINS.includes(id))
const urls = loadChainUrls(environment.INDEX_CHAINS, process.env)
await migrate(environment.DATABASE_URL)

const hash = await buildHash(root, chains)
const build = {
  postgresSchema: `index_${environment.INDEX_CHAINS.join('_').slice(0, 26)}_${hash}`,
  chainIds: environment.INDEX_CHAINS,
  buildHash: hash,
}
const relay = await startRelay(
  environment.INDEX_CHAINS.map((id) => ({
    id,
    ...(urls.get(id) ?? { rpcUrls: [], wsUrls: [] }),
    pollIntervalMs: environment.INDEX_POLL_MS,
  })),
  logger,
)
const sql = connect(environment.DATABASE_URL, { applicationName: 'causeway-indexer', max: 2 })
const lock = await holdBuildLock(environment.DATABASE_URL, build.postgresSchema, {
  signal: shutdown.signal,
  // Another launcher may take the build now: this one must not write any more.
  onLost: () => process.exit(1),
  logger,
})

await runLauncher({
  sql,
  build,
  chains: book.chains.map(({ id, eid, finalityDepth }) => ({
    id,
    eid: eid ?? null,
    finalityDepth,
  })),
  startPonder: () =>
    startPonder({
      root,
      postgresSchema: build.postgresSchema,
      chainIds: build.chainIds,
      relayUrl: relay.url,
      databaseUrl: environment.DATABASE_URL,
      addressBook: environment.ADDRESS_BOOK,
      logger,
    }),
  signal: shutdown.signal,
  logger,
})
await lock.release()
await Promise.all([relay.stop(), sql.end({ timeout: 2 })])
process.exit(0)
