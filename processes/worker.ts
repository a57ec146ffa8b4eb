import { privateKeyToAccount } from 'viem/accounts'
import { migrate } from '../db/migrate.ts'
import { connect } from '../db/sql.ts'
import { loadAddressBook } from '../domain/addressBook/addressBook.ts'
import { httpAttestationProvider } from '../domain/earn/attestationProvider.ts'
import { feedFromIndex } from '../worker/feed/indexFeed.ts'
import { createKeeperPart } from '../worker/smartDeposit/keeperPart.ts'
import { deliverWebhooks } from '../worker/webhook/deliverWebhooks.ts'
import { startWorker } from '../worker/worker.ts'
import { loadChainUrls, loadEnvironment, loadKeeperKey, workerVariables } from './environment.ts'
import { createLogger } from './logger.ts'
import { startMetrics } from './metrics/startMetrics.ts'
import { createServiceContext } from './serviceContext.ts'

/** The worker process: does what must happen once and later, until SIGTERM. */
const environment = loadEnvironment(workerVariables, process.env)
const logger = createLogger('worker', environment.LOG_LEVEL)
const addressBook = await loadAddressBook(environment.ADDRESS_BOOK)
const keeperKey = await loadKeeperKey(environment)
await migrate(environment.DATABASE_URL)

const { context, stop } = createServiceContext({
  applicationName: 'causeway-worker',
  databaseUrl: environment.DATABASE_URL,
  addressBook,
  chainUrls: loadChainUrls(
    addressBook.chains.map(({ id }) => id),
    process.env,
  ),
  appSecret: Buffer.from(environment.APP_SECRET, 'hex'),
  secretsKey: Buffer.from(environment.SECRETS_KEY, 'hex'),
  webhookTargets: { allowPrivate: environment.WEBHOOK_ALLOW_PRIVATE === 'true' },
  quoteSigner: null,
  attestations: environment.ATTESTATION_URL
    ? httpAttestationProvider(environment.ATTESTATION_URL, environment.ATTESTATION_API_KEY ?? '')
    : null,
  settings: {
    quoteTtlSeconds: environment.QUOTE_TTL_SECONDS,
    permitTtlSeconds: environment.PERMIT_TTL_SECONDS,
    messageFeeHeadroomPercent: environment.MESSAGE_FEE_HEADROOM_PERCENT,
    depositSlippageBps: environment.DEPOSIT_SLIPPAGE_BPS,
  },
  logger,
})
const measured = await startMetrics(context, {
  METRICS_HOST: environment.METRICS_HOST,
  METRICS_PORT: environment.WORKER_METRICS_PORT,
})
// Synchronous commits would take most of a delivery's time; one that is lost is delivered once more.
const deliverySql = connect(environment.DATABASE_URL, {
  applicationName: 'causeway-worker-webhooks',
  synchronousCommit: false,
})
const webhooks = deliverWebhooks({
  sql: deliverySql,
  secretsKey: context.secretsKey,
  allowPrivate: context.webhookTargets.allowPrivate,
  logger,
})
const keeper = createKeeperPart({
  databaseUrl: environment.DATABASE_URL,
  service: context,
  account: keeperKey && privateKeyToAccount(keeperKey),
  logger,
})
const worker = await startWorker({
  databaseUrl: environment.DATABASE_URL,
  parts: [
    webhooks,
    feedFromIndex({ ...context, databaseUrl: environment.DATABASE_URL, logger }),
    keeper,
  ],
  logger,
})
logger.info('the worker works')

let isStopping = false
for (const event of ['SIGTERM', 'SIGINT'] as const)
  process.on(event, () => {
    if (isStopping) return
    isStopping = true
    void shutDown()
  })

async function shutDown() {
  await worker.stop()
  await measured?.stop()
  await Promise.all([stop(), deliverySql.end({ timeout: 2 })])
  process.exit(0)
}
