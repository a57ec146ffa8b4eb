import { join } from 'node:path'
import { drainServer } from '../api/drainServer.ts'
import { createLifecycle } from '../api/http/lifecycle.ts'
import { createServer } from '../api/server.ts'
import { migrate } from '../db/migrate.ts'
import { createQuotaStore } from '../db/quotaStore.ts'
import { forgetPublishedReads } from '../domain/cache/publishedReads.ts'
import { forgetAnswers } from '../domain/idempotency/answerOnce.ts'
import { createQuotaLeases } from '../domain/limits/quotaLeases.ts'
import { WINDOW_SECONDS } from '../domain/limits/rateLimits.ts'
import { startLoop } from '../domain/loop/startLoop.ts'
import { within } from '../domain/loop/within.ts'
import { accountQuoteSigner } from '../domain/transit/signing/quoteSigner.ts'
import { createRequestRecorder } from '../domain/usage/requestRecorder.ts'
import { createRequestStore } from '../domain/usage/requestStore.ts'
import { clientCaps } from './clientCaps.ts'
import { withDatabase } from './configuration/answeringDatabase.ts'
import { findApiDoubts, findProductionDoubts, logDoubts } from './configuration/doubts.ts'
import { loadConsole } from './configuration/loadConsole.ts'
import { loadShieldBook } from './configuration/loadShieldBook.ts'
import { orExit } from './configuration/orExit.ts'
import { loadApiConfiguration } from './configuration/serviceConfiguration.ts'
import { createLogger } from './logger.ts'
import { startMetrics } from './metrics/startMetrics.ts'
import { readsHash } from './readsHash.ts'
import { createServiceContext } from './serviceContext.ts'
import { serviceOptions } from './serviceOptions.ts'
import { startTracing } from './tracing/startTracing.ts'
import { requirePatches } from './unpatchedFiles.ts'
import { untilDatabaseAnswers } from './untilDatabaseAnswers.ts'

const FORGET_EVERY_MS = 3_600_000
const FORGETTING_ENDS_MS = 1_000

/** The api process: serves HTTP until SIGTERM, then drains. */
await requirePatches()
const root = join(import.meta.dirname, '..')
const configuration = await orExit(loadApiConfiguration(process.env))
const { environment, quoteSigner } = configuration
const logger = createLogger('api', environment.LOG_LEVEL)
const shield = await orExit(loadShieldBook(environment, configuration.addressBook))
const doubts = [
  ...findProductionDoubts(configuration.addressBook, process.env, findApiDoubts),
  ...(shield?.doubts ?? []),
]
logDoubts(logger, doubts)
const { directUrl } = configuration
await orExit(withDatabase(directUrl, () => migrate(directUrl)))

const tracing = await startTracing('causeway-api', environment, logger)
const { context, stop } = createServiceContext({
  ...serviceOptions(configuration),
  applicationName: 'causeway-api',
  readsHash: await readsHash({ root, ...configuration }),
  replicaUrls: environment.DATABASE_READ_URL ?? [],
  maxStaleSeconds: environment.LIST_MAX_STALE_SECONDS,
  quoteSigner: quoteSigner && accountQuoteSigner(quoteSigner),
  consoleOrigin: environment.CONSOLE_ORIGIN ?? null,
  rehearsalReport: environment.REHEARSAL_REPORT ?? null,
  logger,
})
const onStoreFailure = (error: unknown) =>
  logger.warn({ err: error }, 'rate limits are not shared: the database does not count')
const quotas = environment.RATE_LIMITS === 'on' ? createQuotaStore(directUrl, WINDOW_SECONDS) : null
const recorder =
  environment.REQUEST_LOG === 'on'
    ? createRequestRecorder(createRequestStore(directUrl), {
        onFailure: (error) =>
          logger.warn({ err: error }, 'requests are not logged: the database takes none'),
      })
    : null
const forgetting = startLoop({
  run: () => Promise.all([forgetAnswers(context.sql), forgetPublishedReads(context.sql)]),
  everyMs: FORGET_EVERY_MS,
  onFailure: (error) =>
    logger.warn({ err: error }, 'old answers of Idempotency-Keys and of nodes are not deleted'),
})
const lifecycle = createLifecycle()
const measured = await startMetrics(context, environment, logger)
const app = await createServer(context, {
  lifecycle,
  logger,
  maxLagSeconds: environment.HEALTH_MAX_LAG_SECONDS,
  shieldBook: shield?.text ?? null,
  productSegments: environment.PRODUCT_SEGMENTS ?? [],
  leases: quotas && createQuotaLeases(quotas, onStoreFailure),
  recorder,
  caps: clientCaps(environment),
  trustedProxies: environment.TRUST_PROXY ?? [],
  corsOrigins: environment.CORS_ORIGINS ?? [],
  maxConnections: environment.MAX_CONNECTIONS,
  console: await loadConsole(configuration, doubts),
})
await app.listen({ host: environment.API_HOST, port: environment.API_PORT })
void untilDatabaseAnswers(context.sql, { logger, signal: lifecycle.draining }).then(
  lifecycle.markReady,
)

async function shutDown() {
  await drainServer(app, { lifecycle, drainSeconds: environment.DRAIN_SECONDS })
  await measured?.stop()
  await recorder?.stop()
  // Its statement may wait for a database that does not answer.
  await within(FORGETTING_ENDS_MS, forgetting.stop())
  await stop()
  await quotas?.stop()
  await tracing?.stop()
  process.exit(0)
}

let isStopping = false
for (const event of ['SIGTERM', 'SIGINT'] as const)
  process.on(event, () => {
    if (isStopping) return
    isStopping = true
    void shutDown()
  })
