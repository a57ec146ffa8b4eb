import type { KeyAdministrator } from '../../domain/access/keys.ts'
import type { AdminConnection } from '../adminConnection.ts'
import { formatTable, type TableRow } from '../formatTable.ts'

/** Over the database of the api, with its secrets as far as they are given. */
export type CommandAdministrator = KeyAdministrator &
  Pick<AdminConnection, 'secretsKey' | 'allowPrivate'>

/** What a command answers: with `--json`, and else. */
export type Answer = { json: unknown; text: string }

/** Rows as they are, and as a table; `nothing` stands for none. */
export function listed(rows: TableRow[], nothing: string): Answer {
  return { json: rows, text: formatTable(rows, nothing) }
}

/** Runs a command as an administrator, prints what it answers and says what goes wrong. */
export type Run = (act: (administrator: CommandAdministrator) => Promise<Answer>) => Promise<void>
