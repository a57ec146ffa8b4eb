import { pause } from '../domain/loop/pause.ts'

export type Wait<Result> = {
  work: Promise<Result>
  /** Whether anything has moved since the call before. */
  hasMoved: () => Promise<boolean>
  /** Given up after this time without a movement. */
  quietMs?: number
  lookMs?: number
}

/** Nothing has moved for as long as the wait allows. */
export class StandstillError extends Error {
  override name = 'StandstillError'
}

const QUIET_MS = 60_000
const LOOK_MS = 1_000

/**
 * Waits for the result of `work` while anything moves. Throws `StandstillError` when nothing has moved for
 * `quietMs`. It counts looks and not time, so a machine that is busy or was asleep gets the time that it needs.
 */
export async function whileItMoves<Result>(wait: Wait<Result>): Promise<Result> {
  const { work, hasMoved, quietMs = QUIET_MS, lookMs = LOOK_MS } = wait
  const done = new AbortController()
  async function watch(): Promise<never> {
    for (let quietLooks = 0; quietLooks * lookMs < quietMs; quietLooks += 1) {
      await pause(lookMs, done.signal)
      if (done.signal.aborted) return new Promise<never>(() => {})
      if (await hasMoved()) quietLooks = 0
    }
    throw new StandstillError(`Nothing has moved for ${quietMs / 1_000} s`)
  }
  try {
    return await Promise.race([work, watch()])
  } finally {
    done.abort()
  }
}
