import { Logger as GraphileLogger, type Runner, run, type TaskList } from 'graphile-worker'
import type { Logger } from 'pino'
import { createPgPool } from '../db/pgPool.ts'
import { repeat } from '../domain/loop/startLoop.ts'
import { within } from '../domain/loop/within.ts'

/** A part of the worker: its jobs by name, and a service that runs beside them. */
export type WorkerPart = {
  tasks?: TaskList
  start?(): { stop(): Promise<void> }
}

export type WorkerOptions = {
  databaseUrl: string
  parts: WorkerPart[]
  logger: Logger
  /** From the beginning of a runner's end until it is killed: it may wait for a job that never ends. */
  endMs?: number
}

const CONCURRENCY = 20
/** Only for jobs with a later time: a notification starts all others at once. */
const POLL_MS = 500
const END_MS = 30_000
/** From the end of a runner to the next one. */
const RESTART_MS = 1_000
/** For a runner that has ended to close its connections. */
const RELEASE_MS = 5_000

/** Runs jobs until it is stopped; `stop` waits for the running ones. */
export async function startWorker(options: WorkerOptions): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController()
  let runner = await startRunner(options)
  // A runner ends by itself when a job cannot be noted as done for minutes.
  const ended = repeat(
    {
      async run() {
        await untilEnded(runner, options.endMs ?? END_MS)
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
      // It rejects if the runner has ended, and never resolves if the runner had to be killed.
      const stopped = runner.stop().catch(() => {})
      await ended
      await within(RELEASE_MS, stopped)
      // Another one may have been starting meanwhile.
      await within(
        RELEASE_MS,
        runner.stop().catch(() => {}),
      )
    },
  }
}

/** Resolves when the runner has ended, or was killed because its end took too long. */
async function untilEnded({ promise, events, kill }: Runner, endMs: number): Promise<void> {
  const killed = Promise.withResolvers<void>()
  let timer: NodeJS.Timeout | undefined
  events.once('pool:gracefulShutdown', () => {
    timer = setTimeout(() => void kill().then(killed.resolve, killed.resolve), endMs)
  })
  await Promise.race([promise.catch(() => {}), killed.promise])
  clearTimeout(timer)
}

async function startRunner({ databaseUrl, parts, logger }: WorkerOptions): Promise<Runner> {
  const pool = createPgPool(databaseUrl, {
    applicationName: 'causeway-worker-jobs',
    max: CONCURRENCY + 2,
  })
  const runner = await run({
    pgPool: pool,
    taskList: Object.assign({}, ...parts.map(({ tasks }) => tasks)),
    concurrency: CONCURRENCY,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    // Without batches graphile-worker ends its connections before the last jobs are noted as done: they stay locked.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    logger: new GraphileLogger(() => (level, message) => {
      if (level === 'error') logger.error(message)
      else if (level === 'warning') logger.warn(message)
      else logger.debug(message)
    }),
  }).catch(async (error) => {
    await pool.end()
    throw error
  })
  // A runner that was killed keeps connections, so the next one has a pool of its own.
  runner.promise.catch(() => {}).finally(() => pool.end())
  return runner
}
