import { within } from '../../domain/loop/within.ts'

const LONGEST_MS = 2_000

/**
 * A read that rejects after `longestMs`, so that a database that is silent does not hold up the other metrics. While
 * one hangs no second begins, since scrapes would pile up on the database.
 */
export function boundedRead<State extends object | number>(
  read: () => Promise<State>,
  longestMs = LONGEST_MS,
): () => Promise<State> {
  let running: Promise<State> | null = null
  return async () => {
    running ??= read().finally(() => {
      running = null
    })
    const state = await within(longestMs, running)
    if (state === null) throw new Error(`no answer within ${longestMs} ms`)
    return state
  }
}
