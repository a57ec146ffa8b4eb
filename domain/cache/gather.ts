type Batch<Id, Result> = PromiseWithResolvers<Result> & { ids: Set<Id> }

/**
 * Gathers reads of single things: ids that are asked for in one turn, or while a read runs, are one `read`, which begins after
 * the call, and each caller gets its whole result. More at once would only share the database's processors. From the beginning
 * of a read to that of the next it takes at least `leastMs`.
 */
export function gather<Id, Result>(
  read: (ids: Id[]) => Promise<Result>,
  leastMs = 0,
): (id: Id) => Promise<Result> {
  let next: Batch<Id, Result> | null = null
  let isReading = false
  let begunAt = -Infinity
  let timer: NodeJS.Timeout | null = null

  function readNext() {
    if (!next || isReading || timer) return
    const pauseMs = begunAt + leastMs - performance.now()
    if (pauseMs > 0) {
      timer = setTimeout(() => {
        timer = null
        readNext()
      }, pauseMs)
      return
    }
    begunAt = performance.now()
    const { ids, resolve } = next
    next = null
    isReading = true
    const result = read([...ids]).finally(() => {
      isReading = false
      setImmediate(readNext)
    })
    resolve(result)
  }

  function begin(): Batch<Id, Result> {
    // At the end of this turn, so that all of its callers are included.
    setImmediate(readNext)
    return { ...Promise.withResolvers<Result>(), ids: new Set() }
  }

  return (id) => {
    next ??= begin()
    next.ids.add(id)
    return next.promise
  }
}
