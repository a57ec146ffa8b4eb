import { Logger as GraphileLogger, run, type TaskList } from 'graphile-worker'
import type { Logger } from 'pino'
import { pgUrl } from '../db/databaseUrl.ts'

/** A part of the worker: its jobs by name, and a service that runs beside them. */
export type WorkerPart = {
  tasks?: TaskList
  start?(): { stop(): Promise<void> }
}

export type WorkerOptions = { databaseUrl: string; parts: WorkerPart[]; logger: Logger }

const CONCURRENCY = 20
/** Only for jobs with a later time: a notification starts all others at once. */
const POLL_MS = 500

/** Runs jobs until it is stopped; `stop` waits for the running ones. */
export async function startWorker({ databaseUrl, parts, logger }: WorkerOptions): Promise<{
  stop(): Promise<void>
}> {
  const runner = await run({
    connectionString: pgUrl(databaseUrl),
    taskList: Object.assign({}, ...parts.map(({ tasks }) => tasks)),
    concurrency: CONCURRENCY,
    maxPoolSize: CONCURRENCY + 2,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    // Without batches graphile-worker ends its connections before the last jobs are noted as done: they stay locked.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    logger: new GraphileLogger(() => (level, message) => {
      if (level === 'error') logger.error(message)
      else if (level === 'warning') logger.warn(message)
      else logger.debug(message)
    }),
  })
  const started = parts.flatMap((part) => part.start?.() ?? [])
  return {
    async stop() {
      await Promise.all([...started.map((part) => part.stop()), runner.stop()])
    },
  }
}
