import type { KeyAdministrator } from '../../domain/access/keys.ts'
import type { AdminConnection } from '../adminConnection.ts'
import { formatTable, type TableRow } from '../formatTable.ts'

/** An administrator with the API's database, and those of its secrets that are set. */
export type CommandAdministrator = KeyAdministrator &
  Pick<AdminConnection, 'databaseUrl' | 'secretsKey' | 'allowPrivate'>

/** The output of a command: with `--json`, and without. */
export type CommandAnswer = { json: unknown; text: string }

/** Rows as JSON and as a table; `nothing` is the text without rows. */
export function listed(rows: TableRow[], nothing: string): CommandAnswer {
  return { json: rows, text: formatTable(rows, nothing) }
}

/** Runs a command as an administrator, and prints its answer or error. */
export type Run = (
  act: (administrator: CommandAdministrator) => Promise<CommandAnswer>,
) => Promise<void>
