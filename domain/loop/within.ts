/**
 * The result of `work`, or null if it takes longer than `ms`. The work goes on. A plain timer: one that can be aborted costs
 * some 30 µs, and a list may need one for each of its rows.
 */
export function within<Result>(ms: number, work: Promise<Result>): Promise<Result | null> {
  const { promise, resolve, reject } = Promise.withResolvers<Result | null>()
  const timer = setTimeout(resolve, ms, null)
  work.then(resolve, reject).finally(() => clearTimeout(timer))
  return promise
}
