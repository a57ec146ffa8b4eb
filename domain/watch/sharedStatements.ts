type Batch<Id, Rows> = PromiseWithResolvers<Rows> & { ids: Set<Id> }

/**
 * More statements at once would only share the database's processors. Later reads wait and are joined,
 * at a third of the cost.
 */
const STATEMENTS_AT_ONCE = 3

/**
 * Makes reads of single resources share statements: ids requested in one turn, or while another
 * statement runs, are one `select`, and each caller gets all rows. One change wakes hundreds of waiting
 * requests in the same turn: a query for each would queue up.
 */
export function sharedStatements<Id, Rows>(
  select: (ids: Id[]) => Promise<Rows>,
  mostAtOnce = STATEMENTS_AT_ONCE,
): (id: Id) => Promise<Rows> {
  let next: Batch<Id, Rows> | null = null
  let running = 0

  function runNext() {
    if (!next || running === mostAtOnce) return
    const { ids, resolve } = next
    next = null
    running += 1
    const result = select([...ids]).finally(() => {
      running -= 1
      setImmediate(runNext)
    })
    resolve(result)
  }

  function startBatch(): Batch<Id, Rows> {
    // At the end of this turn, so that all of its requests are included.
    setImmediate(runNext)
    return { ...Promise.withResolvers<Rows>(), ids: new Set() }
  }

  return (id) => {
    next ??= startBatch()
    next.ids.add(id)
    return next.promise
  }
}
