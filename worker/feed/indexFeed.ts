import type { Logger } from 'pino'
import { startIndexListener } from '../../db/indexListener.ts'
import { pause } from '../../domain/loop/pause.ts'
import { repeat } from '../../domain/loop/startLoop.ts'
import { openSpan, traced } from '../../domain/observation/tracing.ts'
import type { WorkerPart } from '../worker.ts'
import { type FeedContext, recordIndexEvents } from './recordIndexEvents.ts'

export type FeedOptions = FeedContext & { databaseUrl: string; logger: Logger }

/** Blocks of several chains that arrive together are handled together. */
const LEAST_PAUSE_MS = 200
/** Without a notification: one may be lost, and a delayed occurrence must not wait for ever. */
const MOST_PAUSE_MS = 5_000

/** Records events of orders, withdrawal requests and vaults whenever the index changes. */
export function createIndexFeed({ databaseUrl, logger, ...context }: FeedOptions): WorkerPart {
  return {
    start() {
      const stopping = new AbortController()
      let wake = () => {}
      let woken = Promise.resolve()
      const listener = startIndexListener(databaseUrl, (error) =>
        logger.warn({ error: String(error) }, 'index notifications interrupted'),
      )
      listener.onChange(() => wake())

      async function run() {
        await Promise.race([woken, pause(MOST_PAUSE_MS - LEAST_PAUSE_MS, stopping.signal)])
        if (stopping.signal.aborted) return
        woken = new Promise((resolve) => {
          wake = resolve
        })
        const span = openSpan({ name: 'index_feed', kind: 'internal' })
        await traced(span, () => recordIndexEvents(context))
      }
      const onFailure = (error: unknown) =>
        logger.error({ err: error }, 'events of the index could not be recorded; tried again')
      const running = repeat({ run, everyMs: LEAST_PAUSE_MS, onFailure }, stopping.signal)
      return {
        async stop() {
          stopping.abort()
          await running
          await listener.stop()
        },
      }
    },
  }
}
