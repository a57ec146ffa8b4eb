import type { ISql, Sql } from 'postgres'
import { isKept, isTracing, openPart, type SpanStart } from '../../domain/observation/tracing.ts'

/** A statement that is not sent yet: `handler` sends it. The driver's types do not name these fields. */
type Statement = PromiseLike<unknown> & {
  tagged: boolean
  strings: readonly string[]
  handler(statement: unknown): void
}

const MOST_TEXT = 1_000
/** The characters of a statement that are read, spaces and line breaks included; some statements have twenty times as many. */
const MOST_READ = 2 * MOST_TEXT

/**
 * The same connections, whose statements become spans of the request or job that sends them, with the text of the
 * statement and without its parameters. Returns `sql` itself if nothing is traced.
 */
export function traceStatements(sql: Sql<{ bigint: bigint }>): Sql<{ bigint: bigint }> {
  return isTracing() ? observed(sql) : sql
}

function observed<Connections extends ISql<{ bigint: bigint }>>(sql: Connections): Connections {
  return new Proxy(sql, {
    apply(target, _, given: unknown[]) {
      // Cast, because `Reflect.apply` takes no overloaded function.
      const made: unknown = Reflect.apply(target as unknown as () => unknown, undefined, given)
      if (isKept() && isStatement(made)) traceStatement(made)
      return made
    },
    get(target, name) {
      const found: unknown = Reflect.get(target, name)
      if ((name !== 'begin' && name !== 'savepoint') || typeof found !== 'function') return found
      return (...given: unknown[]) =>
        Reflect.apply(
          found,
          target,
          given.map((one) => (isWork(one) ? inTransaction(one) : one)),
        )
    },
  })
}

type Work = (transaction: ISql<{ bigint: bigint }>) => unknown

function isWork(given: unknown): given is Work {
  return typeof given === 'function'
}

const inTransaction =
  (work: Work): Work =>
  (transaction) =>
    work(observed(transaction))

/** A part of another statement has a handler too, which is never called. */
function isStatement(made: unknown): made is Statement {
  return typeof made === 'object' && made !== null && 'handler' in made && 'tagged' in made
}

function traceStatement(statement: Statement): void {
  const { handler, strings } = statement
  statement.handler = (sent) => {
    const span = openPart(() => startOf(strings))
    if (span)
      Promise.prototype.then.call(
        statement,
        () => span.end(),
        (error: { code?: string }) => span.end(error.code ?? 'unknown'),
      )
    handler(sent)
  }
}

function startOf(strings: readonly string[]): SpanStart {
  const text = strings.join('?').slice(0, MOST_READ).trim().replaceAll(/\s+/g, ' ')
  return {
    name: `postgres ${text.split(' ', 1)[0]?.toLowerCase() ?? ''}`,
    kind: 'client',
    attributes: { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, MOST_TEXT) },
  }
}
