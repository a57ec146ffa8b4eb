import type { Sql, TransactionSql } from 'postgres'

/**
 * A transaction for code that expects a pool: each transaction that the code begins is a savepoint of this one, and
 * takes back what it did alone if it fails.
 */
export function asPool(transaction: TransactionSql): Sql {
  // Cast, because a transaction lacks what a pool has for listening and ending, which no call uses.
  return new Proxy(transaction, {
    get(target, name) {
      if (name !== 'begin') return Reflect.get(target, name)
      return (work: (part: Sql) => Promise<unknown>) =>
        target.savepoint((savepoint) => work(asPool(savepoint)))
    },
  }) as unknown as Sql
}
