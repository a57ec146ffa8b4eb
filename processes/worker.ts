import { startIndexListener } from '../db/indexListener.ts'
import { migrate } from '../db/migrate.ts'
import { connect } from '../db/sql.ts'
import { httpPayerScreening } from '../domain/smartDeposit/payerScreening.ts'
import { createIndexFeed } from '../worker/feed/indexFeed.ts'
import { watchQueues } from '../worker/feed/watchQueues.ts'
import { createRetention } from '../worker/retention/retention.ts'
import { createKeeperPart } from '../worker/smartDeposit/keeperPart.ts'
import { httpOrderQuotes } from '../worker/smartDeposit/orderQuotes.ts'
import { deliverWebhooks } from '../worker/webhook/deliverWebhooks.ts'
import { startWorker } from '../worker/worker.ts'
import { withDatabase } from './configuration/answeringDatabase.ts'
import { findProductionDoubts, findWorkerDoubts, logDoubts } from './configuration/doubts.ts'
import { orExit } from './configuration/orExit.ts'
import { loadWorkerConfiguration } from './configuration/serviceConfiguration.ts'
import { createLogger } from './logger.ts'
import { startMetrics } from './metrics/startMetrics.ts'
import { createServiceContext } from './serviceContext.ts'
import { serviceOptions } from './serviceOptions.ts'
import { startTracing } from './tracing/startTracing.ts'
import { traceStatements } from './tracing/traceStatements.ts'
import { requirePatches } from './unpatchedFiles.ts'

/** The worker process: records events, delivers webhooks and runs the keeper until SIGTERM. */
await requirePatches()
const configuration = await orExit(loadWorkerConfiguration(process.env))
const { environment } = configuration
const logger = createLogger('worker', environment.LOG_LEVEL)
logDoubts(logger, findProductionDoubts(configuration.addressBook, process.env, findWorkerDoubts))
const { directUrl } = configuration
await orExit(withDatabase(directUrl, () => migrate(directUrl)))

const tracing = await startTracing('causeway-worker', environment, logger)
const { context, stop } = createServiceContext({
  ...serviceOptions(configuration),
  applicationName: 'causeway-worker',
  quoteSigner: null,
  logger,
})
const { METRICS_HOST, WORKER_METRICS_PORT: METRICS_PORT } = environment
const kept = {
  events: environment.EVENT_RETENTION_DAYS,
  deliveries: environment.DELIVERY_RETENTION_DAYS,
  attempts: environment.ATTEMPT_RETENTION_DAYS,
}
const { DATABASE_CAPACITY_GB } = environment
const capacityBytes = DATABASE_CAPACITY_GB === undefined ? null : DATABASE_CAPACITY_GB * 1e9
const storage = { kept, capacityBytes }
const measured = await startMetrics(context, { METRICS_HOST, METRICS_PORT, storage }, logger)
// Synchronous commits would take most of a delivery's time. After a lost commit the webhook is delivered again.
const deliverySql = traceStatements(
  connect(directUrl, { applicationName: 'causeway-worker-webhooks', synchronousCommit: false }),
)
const webhooks = deliverWebhooks({
  sql: deliverySql,
  secretsKey: context.secretsKey,
  allowPrivate: context.webhookTargets.allowPrivate,
  logger,
})
const { PAYER_SCREENING_URL, PAYER_SCREENING_API_KEY, QUOTE_API_URL, QUOTE_API_KEY } = environment
const listener = startIndexListener(directUrl, (error) =>
  logger.warn({ error: String(error) }, 'index notifications interrupted'),
)
const keeper = createKeeperPart({
  databaseUrl: directUrl,
  service: context,
  listener,
  accounts: configuration.keepers,
  payerScreening: PAYER_SCREENING_URL
    ? httpPayerScreening(PAYER_SCREENING_URL, PAYER_SCREENING_API_KEY ?? '')
    : null,
  orderQuotes: httpOrderQuotes(QUOTE_API_URL, QUOTE_API_KEY ?? null),
  logger,
})
const worker = await startWorker({
  databaseUrl: directUrl,
  parts: [
    webhooks,
    createIndexFeed({ ...context, databaseUrl: directUrl, listener, logger }),
    watchQueues({ ...context, logger }),
    keeper,
    createRetention({ sql: deliverySql, kept, logger }),
  ],
  logger,
})
logger.info('the worker is ready')

let isStopping = false
for (const event of ['SIGTERM', 'SIGINT'] as const)
  process.on(event, () => {
    if (isStopping) return
    isStopping = true
    void shutDown()
  })

async function shutDown() {
  await worker.stop()
  await listener.stop()
  await measured?.stop()
  await Promise.all([stop(), deliverySql.end({ timeout: 2 })])
  await tracing?.stop()
  process.exit(0)
}
