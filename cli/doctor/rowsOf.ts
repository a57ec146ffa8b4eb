import postgres, { type Sql } from 'postgres'
import type { DoctorContext } from './doctorContext.ts'
import { MissingRightError } from './missingRightError.ts'

const UNDEFINED_TABLE = '42P01'
const INVALID_SCHEMA_NAME = '3F000'
const INSUFFICIENT_PRIVILEGE = '42501'

/**
 * The rows of a query; none without a database, or where it has no such table yet. Throws `MissingRightError`, and
 * every other error of the query.
 */
export async function rowsOf<Row>(
  { sql }: Pick<DoctorContext, 'sql'>,
  ask: (sql: Sql<{ bigint: bigint }>) => Promise<Row[]>,
): Promise<Row[]> {
  if (!sql) return []
  try {
    return await ask(sql)
  } catch (error) {
    if (!(error instanceof postgres.PostgresError)) throw error
    if (error.code === UNDEFINED_TABLE || error.code === INVALID_SCHEMA_NAME) return []
    if (error.code !== INSUFFICIENT_PRIVILEGE) throw error
    throw new MissingRightError(sql.options.user, error.message)
  }
}
