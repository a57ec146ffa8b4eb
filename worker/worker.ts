import { Logger as GraphileLogger, type Runner, run, type TaskList } from 'graphile-worker'
import type { Logger } from 'pino'
import { pgUrl } from '../db/databaseUrl.ts'
import { repeat } from '../domain/loop/startLoop.ts'

/** A part of the worker: its jobs by name, and a service that runs beside them. */
export type WorkerPart = {
  tasks?: TaskList
  start?(): { stop(): Promise<void> }
}

export type WorkerOptions = { databaseUrl: string; parts: WorkerPart[]; logger: Logger }

const CONCURRENCY = 20
/** Only for jobs with a later time: a notification starts all others at once. */
const POLL_MS = 500
/** From the end of a runner to the next one. */
const RESTART_MS = 1_000

/** Runs jobs until it is stopped; `stop` waits for the running ones. */
export async function startWorker(options: WorkerOptions): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController()
  let runner = await startRunner(options)
  // A runner ends by itself when a job cannot be noted as done for minutes.
  const ended = repeat(
    {
      async run() {
        await runner.promise.catch(() => {})
        if (stopping.signal.aborted) return
        options.logger.error('no jobs were run any more: the runner of jobs is started again')
        runner = await startRunner(options)
      },
      everyMs: RESTART_MS,
      onFailure: (error) => options.logger.error({ err: error }, 'the runner of jobs cannot start'),
    },
    stopping.signal,
  )
  const started = options.parts.flatMap((part) => part.start?.() ?? [])
  return {
    async stop() {
      stopping.abort()
      await Promise.all(started.map((part) => part.stop()))
      // It rejects if the runner has ended.
      await runner.stop().catch(() => {})
      await ended
      // Another one may have been starting meanwhile.
      await runner.stop().catch(() => {})
    },
  }
}

function startRunner({ databaseUrl, parts, logger }: WorkerOptions): Promise<Runner> {
  return run({
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
}
