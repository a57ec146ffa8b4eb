import { Logger as GraphileLogger, type Runner, run, type TaskList } from 'graphile-worker'
import type pg from 'pg'
import type { Logger } from 'pino'
import { createPgPool } from '../db/pgPool.ts'
import { repeat, startLoop } from '../domain/loop/startLoop.ts'
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
  /** Between two polls for jobs whose notification was lost. */
  pollMs?: number
}

const CONCURRENCY = 20
/** Statements about jobs are short, so all jobs share these connections. One of them listens for new jobs. */
const CONNECTIONS = 4
/** graphile-worker warns with these words when a pool has fewer connections than jobs. That is intended, so it is not logged. */
const FEW_CONNECTIONS = 'having maxPoolSize'
/** For jobs with a later time, as soon as they are due: a notification starts all others at once. */
const WAKE_MS = 500
/** Each of the `CONCURRENCY` workers of the runner polls by itself, so they do it only in case a notification was lost. */
const POLL_MS = 10_000
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
  const waking = startWaking(options)
  const started = options.parts.flatMap((part) => part.start?.() ?? [])
  return {
    async stop() {
      stopping.abort()
      await waking.stop()
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

/** Looks for jobs that have become due, for all runners. */
function startWaking({ databaseUrl, logger }: WorkerOptions): { stop(): Promise<void> } {
  const pool = createPgPool(databaseUrl, { applicationName: 'causeway-worker-wake', max: 1 })
  const loop = startLoop({
    run: () => wakeDueJobs(pool),
    everyMs: WAKE_MS,
    onFailure: (error) => logger.debug({ err: error }, 'due jobs could not be woken'),
  })
  return {
    async stop() {
      await loop.stop()
      await pool.end()
    },
  }
}

/** Notifies the workers of jobs that became due since the last times, as graphile-worker does of new ones. */
async function wakeDueJobs(pool: pg.Pool) {
  await pool.query(
    `select pg_notify('jobs:insert', json_build_object('count', count(*))::text)
     from (select from graphile_worker.jobs
       where locked_at is null and run_at between now() - $1 * interval '1 ms' and now() limit $2) due
     having count(*) > 0`,
    [3 * WAKE_MS, CONCURRENCY],
  )
}

async function startRunner({
  databaseUrl,
  parts,
  logger,
  pollMs = POLL_MS,
}: WorkerOptions): Promise<Runner> {
  const pool = createPgPool(databaseUrl, {
    applicationName: 'causeway-worker-jobs',
    max: CONNECTIONS,
  })
  const runner = await run({
    pgPool: pool,
    taskList: Object.assign({}, ...parts.map(({ tasks }) => tasks)),
    concurrency: CONCURRENCY,
    pollInterval: pollMs,
    noHandleSignals: true,
    // Without batches graphile-worker ends its connections before the last jobs are noted as done: they stay locked.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    logger: new GraphileLogger(() => (level, message) => {
      if (level === 'error') logger.error(message)
      else if (level === 'warning' && !message.includes(FEW_CONNECTIONS)) logger.warn(message)
      else logger.debug(message)
    }),
  }).catch(async (error) => {
    await pool.end()
    throw error
  })
  const end = () => void pool.end()
  // A runner that was killed does not end and keeps connections, so the next one has a pool of its own.
  runner.promise.then(end, end)
  return runner
}
