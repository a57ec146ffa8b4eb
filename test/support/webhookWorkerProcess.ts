import { connect } from '../../db/sql.ts'
import { createLogger } from '../../processes/logger.ts'
import { deliverWebhooks } from '../../worker/webhook/deliverWebhooks.ts'
import { startWorker } from '../../worker/worker.ts'

/** A worker that only delivers, with short times, for tests that kill it. */
const { DATABASE_URL = '', SECRETS_KEY = '', TIMEOUT_MS, STALE_MS } = process.env
const logger = createLogger('worker', 'silent')
const part = deliverWebhooks({
  sql: connect(DATABASE_URL, { applicationName: 'test-worker', synchronousCommit: false }),
  secretsKey: Buffer.from(SECRETS_KEY, 'hex'),
  logger,
  allowPrivate: true,
  timeoutMs: Number(TIMEOUT_MS),
  claimSlackMs: 100,
  staleMs: Number(STALE_MS),
})
await startWorker({ databaseUrl: DATABASE_URL, parts: [part], logger })
