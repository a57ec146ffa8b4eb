import { setTimeout as sleep } from 'node:timers/promises'
import { makeWorkerUtils, type WorkerUtils } from 'graphile-worker'
import { expect, onTestFinished, test } from 'vitest'
import { createLogger } from '../../processes/logger.ts'
import { startWorker } from '../../worker/worker.ts'
import { createTestDatabase } from '../support/postgres.ts'

test('behavior: a runner that waits for a job without an end is killed, and jobs go on', async () => {
  const database = await createTestDatabase()
  const { exitCode } = process
  const utils = await makeWorkerUtils({ connectionString: database.url })
  onTestFinished(async () => {
    process.exitCode = exitCode
    await utils.release()
    await database.drop()
  })
  const run: string[] = []
  const worker = await startWorker({
    databaseUrl: database.url,
    logger: createLogger('test', 'silent'),
    endMs: 500,
    parts: [
      {
        tasks: {
          async endless() {
            run.push('endless')
            await sleep(600_000, undefined, { ref: false })
          },
          async short() {
            run.push('short')
          },
        },
      },
    ],
  })
  await utils.addJob('endless', {})
  await expect.poll(() => run).toEqual(['endless'])
  // A poll can have found the job before the runner listens.
  await expect.poll(() => listeners(utils)).toBe(1)
  // On this notification, graphile-worker stops for a newer version of itself.
  const breaking = JSON.stringify({ breaking: true, migrationNumber: 1 })
  await utils.withPgClient((client) =>
    client.query(`select pg_notify('worker:migrate', $1)`, [breaking]),
  )
  await expect.poll(() => process.exitCode).toBe(57)
  await utils.addJob('short', {})
  await expect.poll(() => run).toEqual(['endless', 'short'])
  await worker.stop()
})

/** The sessions of this database that listen, and have done nothing since. */
async function listeners(utils: WorkerUtils) {
  const { rows } = await utils.withPgClient((client) =>
    client.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and state = 'idle' and query like 'LISTEN%'`,
    ),
  )
  return rows[0]?.count
}
