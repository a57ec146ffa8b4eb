import type { Logger } from 'pino'
import type { IndexListener } from '../../db/indexListener.ts'
import { createDoorbell } from '../../domain/loop/doorbell.ts'
import { repeat } from '../../domain/loop/startLoop.ts'
import { openSpan, traced } from '../../domain/observation/tracing.ts'
import type { WorkerPart } from '../worker.ts'
import { type FeedContext, recordIndexEvents } from './recordIndexEvents.ts'

export type FeedOptions = FeedContext & {
  listener: Pick<IndexListener, 'onChange'>
  logger: Logger
}

/** Blocks of several chains that arrive together are handled together. */
const LEAST_PAUSE_MS = 200
/** Without a notification: one may be lost, and a delayed occurrence must not wait for ever. */
const MOST_PAUSE_MS = 5_000

/** Records events of orders, withdrawal requests and vaults whenever the index changes. */
export function createIndexFeed({ listener, logger, ...context }: FeedOptions): WorkerPart {
  return {
    start() {
      const stopping = new AbortController()
      const bell = createDoorbell()
      // What was indexed before is recorded at once.
      bell.ring()
      const stopListening = listener.onChange(bell.ring)

      async function run() {
        await bell.wait(MOST_PAUSE_MS - LEAST_PAUSE_MS, stopping.signal)
        if (stopping.signal.aborted) return
        const span = openSpan({ name: 'index_feed', kind: 'internal' })
        await traced(span, () => recordIndexEvents(context))
      }
      const onFailure = (error: unknown) =>
        logger.error({ err: error }, 'events of the index could not be recorded; tried again')
      const running = repeat({ run, everyMs: LEAST_PAUSE_MS, onFailure }, stopping.signal)
      return {
        async stop() {
          stopping.abort()
          stopListening()
          await running
        },
      }
    },
  }
}
