import { within } from '../../domain/loop/within.ts'

/** Scrapes and the probes of pods wait for 10 s. A large backlog takes seconds to count. */
const LONGEST_MS = 4_000

/**
 * A read that rejects after four seconds, so that a database that is silent does not hold up the other metrics. While
 * one hangs no second begins, since scrapes would pile up on the database.
 */
export function boundedRead<State extends object | number>(
  read: () => Promise<State>,
): () => Promise<State> {
  let running: Promise<State> | null = null
  return async () => {
    running ??= read().finally(() => {
      running = null
    })
    const state = await within(LONGEST_MS, running)
    if (state === null) throw new Error(`no answer within ${LONGEST_MS} ms`)
    return state
  }
}
