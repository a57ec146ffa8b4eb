import type { Connection } from './connection/connection.ts'

type Functions = Record<string, (connection: Connection, ...args: never[]) => unknown>

/** The same functions without their first argument, the connection. */
export type Bound<Actions extends Functions> = {
  [Name in keyof Actions]: Actions[Name] extends (
    connection: Connection,
    ...args: infer Args
  ) => infer Result
    ? (...args: Args) => Result
    : never
}

/** Gives functions their connection. */
export function bindActions<Actions extends Functions>(
  connection: Connection,
  actions: Actions,
): Bound<Actions> {
  const bound = Object.entries(actions).map(([name, call]) => [
    name,
    (...args: never[]) => call(connection, ...args),
  ])
  return Object.fromEntries(bound) as Bound<Actions> // `Object.entries` forgets which name has which type.
}
