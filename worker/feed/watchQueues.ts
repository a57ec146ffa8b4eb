import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import type { AddressBook } from '../../domain/addressBook/addressBook.ts'
import {
  blockedQueues,
  type QueueBlock,
  type QueueBlocks,
} from '../../domain/earn/withdrawals/queueBlocks.ts'
import { blockingRequests } from '../../domain/feed/blockingRequests.ts'
import { startLoop } from '../../domain/loop/startLoop.ts'
import { listSubscribers } from '../../domain/webhook/recordDeliveries.ts'
import { recordEvents } from '../../domain/webhook/recordEvents.ts'
import type { WorkerPart } from '../worker.ts'
import { eventsOf } from './eventsOf.ts'

type QueueContext = { sql: Sql; addressBook: AddressBook; queueBlocks: QueueBlocks }

/** Vaults' rates and fees, which decide, are read again as often as this. */
const PAUSE_MS = 15_000
const TYPE = 'withdrawal.queue.blocked'

/** Looks for requests that hold up their queues, and records an event of each. */
export function watchQueues({ logger, ...context }: QueueContext & { logger: Logger }): WorkerPart {
  return {
    start: () =>
      startLoop({
        run: () => recordBlockedQueues(context),
        everyMs: PAUSE_MS,
        onFailure: (error) =>
          logger.error({ err: error }, 'blocked queues could not be recorded; tried again'),
      }),
  }
}

/** Returns the number of events: one for a request and subscribed organization, however often it is seen. */
export async function recordBlockedQueues(context: QueueContext): Promise<number> {
  const blocks = (await blockedQueues(context)).map(({ block }) => block)
  return blocks.length === 0 ? 0 : record(context.sql, blocks)
}

async function record(sql: Sql, blocks: QueueBlock[]): Promise<number> {
  const count = await sql.begin(async (transaction) => {
    const requests = await blockingRequests(transaction, blocks)
    const subscribers = await listSubscribers(transaction)
    const events = requests.flatMap((request) =>
      eventsOf({ ...request, type: TYPE, name: TYPE }, subscribers),
    )
    return (await recordEvents(transaction, events)).length
  })
  return count as number
}
