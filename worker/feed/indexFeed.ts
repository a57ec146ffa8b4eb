import type { Logger } from 'pino'
import type { IndexListener } from '../../db/indexListener.ts'
import { createSessionLocks, type SessionLocks } from '../../db/sessionLocks.ts'
import { dueChains } from '../../domain/feed/feedProgress.ts'
import { createDoorbell } from '../../domain/loop/doorbell.ts'
import { repeat } from '../../domain/loop/startLoop.ts'
import { openSpan, traced } from '../../domain/observation/tracing.ts'
import type { WorkerPart } from '../worker.ts'
import { type FeedContext, type Pass, recordChainEvents } from './recordChainEvents.ts'

export type FeedOptions = FeedContext & {
  databaseUrl: string
  listener: Pick<IndexListener, 'onChange'>
  logger: Logger
}

/** Blocks of several chains that arrive together are found by one look. */
const LEAST_PAUSE_MS = 200
/** After a look that found a chain: its pass may be another worker's, which ends, or it may have to be repeated. */
const AGAIN_MS = 1_000
/** Without a notification: one may be lost. */
const MOST_PAUSE_MS = 5_000

/**
 * Records events of orders, withdrawal requests and vaults whenever the index changes. Each chain has passes of its own,
 * side by side; of several workers one at a time passes over a chain.
 */
export function createIndexFeed({
  databaseUrl,
  listener,
  logger,
  ...context
}: FeedOptions): WorkerPart {
  return {
    start() {
      const stopping = new AbortController()
      const bell = createDoorbell()
      // What was indexed before is recorded at once.
      bell.ring()
      const stopListening = listener.onChange(bell.ring)
      const locks = createSessionLocks(databaseUrl, 'causeway-feed-locks')
      /** The passes that run, by chain. */
      const passes = new Map<number, Promise<void>>()
      let mostMs = MOST_PAUSE_MS

      async function pass(chainId: number) {
        try {
          const done = await passAlone({ locks, context, chainId })
          // The index may have changed meanwhile, and other chains may have waited for these events.
          if (done && (done.events > 0 || !done.isLeft)) bell.ring()
        } catch (error) {
          logger.error(
            { chainId, err: error },
            'events of a chain could not be recorded; tried again',
          )
        } finally {
          passes.delete(chainId)
        }
      }
      async function look() {
        await bell.wait(mostMs - LEAST_PAUSE_MS, stopping.signal)
        if (stopping.signal.aborted) return
        const due = await dueChains(context.sql)
        mostMs = due.length > 0 ? AGAIN_MS : MOST_PAUSE_MS
        for (const chainId of due) if (!passes.has(chainId)) passes.set(chainId, pass(chainId))
      }
      const onFailure = (error: unknown) =>
        logger.error({ err: error }, 'changes of the index could not be looked for; tried again')
      const running = repeat({ run: look, everyMs: LEAST_PAUSE_MS, onFailure }, stopping.signal)
      return {
        async stop() {
          stopping.abort()
          stopListening()
          await running
          await Promise.all(passes.values())
          await locks.stop()
        },
      }
    },
  }
}

type Passing = { locks: SessionLocks; context: FeedContext; chainId: number }

/** Null if another worker passes over the chain. */
async function passAlone({ locks, context, chainId }: Passing): Promise<Pass | null> {
  const lock = await locks.take('causeway.feed', chainId)
  if (!lock) return null
  const attributes = { 'causeway.chain_id': chainId }
  const span = openSpan({ name: 'index_feed', kind: 'internal', attributes })
  return traced(span, () => recordChainEvents(context, chainId)).finally(lock.release)
}
