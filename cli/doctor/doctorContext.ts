import type { Sql } from 'postgres'
import type { AddressBook } from '../../domain/addressBook/addressBook.ts'
import type { ChainClients } from '../../domain/chain/chainClients.ts'
import type { ChainUrls } from '../../processes/configuration/chainUrls.ts'

/** What the checks look at. A part is null where its variables are wrong, which `checkVariables` reports. */
export type DoctorContext = {
  /** The variables as they are set. */
  given: NodeJS.ProcessEnv
  /** The same, with the contents of files. */
  source: NodeJS.ProcessEnv
  book: AddressBook | null
  chainUrls: ReadonlyMap<number, ChainUrls>
  chains: ChainClients | null
  /** Null if the database does not answer, or is not migrated. */
  sql: Sql<{ bigint: bigint }> | null
  /** The time of this machine, in milliseconds. */
  now: () => number
  /** Less free disk than this is a warning. */
  minFreeBytes: number
}

/** The rows of a query; none without a database, or where it has no such table yet. */
export async function rowsOf<Row>(
  { sql }: Pick<DoctorContext, 'sql'>,
  ask: (sql: Sql<{ bigint: bigint }>) => Promise<Row[]>,
): Promise<Row[]> {
  if (!sql) return []
  return ask(sql).catch(() => [])
}
