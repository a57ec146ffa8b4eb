import type { Sql, TransactionSql } from 'postgres'

type LateTransaction = {
  /** Reads outside of the transaction until the first `begin`, then all is part of it. */
  sql: Sql
  /** Begins it, if nothing did yet, and waits for its end. Throws what ended it. */
  finish(): Promise<void>
  /** Whether something began it. */
  isBegun(): boolean
}

type Pools = { reads: Sql; changes: Sql }

/**
 * A transaction for code that expects a pool. It begins with the first transaction of that code, so what the code asks
 * others for before, as the address of a host, holds neither a connection nor a lock. `run` gets it, and makes the code
 * go on by `ready`. When `run` ends, the transaction does.
 */
export function lateTransaction(
  { reads, changes }: Pools,
  run: (transaction: TransactionSql, ready: () => void) => Promise<void>,
): LateTransaction {
  let open: TransactionSql | undefined
  let whole: Promise<void> | undefined
  const begun = Promise.withResolvers<TransactionSql>()
  // Whoever waits for the whole transaction gets the failure, too.
  begun.promise.catch(() => {})
  function start(): Promise<void> {
    const ended = changes.begin((transaction) =>
      run(transaction, () => {
        open = transaction
        begun.resolve(transaction)
      }),
    )
    ended.catch(begun.reject)
    return ended as Promise<void> // The driver's type unwraps lists, and this is none.
  }
  const sql = withBegin(
    reads,
    () => open ?? reads,
    async (work) => {
      whole ??= start()
      return savepoint(await begun.promise, work)
    },
  )
  return { sql, isBegun: () => whole !== undefined, finish: () => (whole ??= start()) }
}

type Begin = (work: (part: Sql) => Promise<unknown>) => Promise<unknown>

/** Each transaction within another is a savepoint, and takes back what it did alone if it fails. */
function savepoint(transaction: TransactionSql, work: Parameters<Begin>[0]): Promise<unknown> {
  return transaction.savepoint((part) =>
    work(
      withBegin(
        part,
        () => part,
        (inner) => savepoint(part, inner),
      ),
    ),
  )
}

/** A pool whose statements are those of `present`, and whose transactions begin by `begin`. */
function withBegin(
  target: Sql | TransactionSql,
  present: () => Sql | TransactionSql,
  begin: Begin,
): Sql {
  // Cast, because a transaction lacks what a pool has for listening and ending, which no call uses.
  return new Proxy(target as Sql, {
    apply: (_target, self, given) => Reflect.apply(present() as Sql, self, given),
    get: (_target, name) => (name === 'begin' ? begin : Reflect.get(present(), name)),
  })
}
