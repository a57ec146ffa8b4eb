import { onTestFinished, test } from 'vitest'
import { connect } from '../../db/sql.ts'
import { createLogger } from '../../processes/logger.ts'
import { startWorker } from '../../worker/worker.ts'
import { asProcessRole } from '../support/databaseRole.ts'
import { createTestDatabase } from '../support/postgres.ts'

const NEVER_MS = 3_600_000

test('behavior: a job for later runs when it is due, without a poll', async () => {
  const database = await createTestDatabase()
  const sql = connect(database.url, { applicationName: 'test', max: 1 })
  const run = Promise.withResolvers<void>()
  const worker = await startWorker({
    databaseUrl: asProcessRole(database.url, 'worker'),
    parts: [{ tasks: { later: async () => run.resolve() } }],
    logger: createLogger('test', 'silent'),
    pollMs: NEVER_MS,
  })
  onTestFinished(async () => {
    await worker.stop()
    await sql.end()
    await database.drop()
  })
  await sql`select graphile_worker.add_job('later', run_at => now() + interval '1 second')`
  await run.promise
})
