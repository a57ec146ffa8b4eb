import { pause } from './pause.ts'

/** The result of `work`, or null if it takes longer than `ms`. The work goes on. */
export async function within<Result>(ms: number, work: Promise<Result>): Promise<Result | null> {
  const over = new AbortController()
  const limit = pause(ms, over.signal)
  return Promise.race([work, limit.then(() => null)]).finally(() => over.abort())
}
