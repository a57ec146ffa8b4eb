import type { Sql } from 'postgres'
import type { AddressBook } from '../../domain/addressBook/addressBook.ts'
import type { ChainClients } from '../../domain/chain/chainClients.ts'
import type { ChainUrls } from '../../processes/configuration/chainUrls.ts'
import type { GivenAccounts } from '../../processes/configuration/serviceConfiguration.ts'

/** The parts that the checks look at. A part is null where its variables are wrong, which `checkVariables` reports. */
export type DoctorContext = {
  /** The variables as they are set. */
  given: NodeJS.ProcessEnv
  /** The same, with the contents of files. */
  source: NodeJS.ProcessEnv
  book: AddressBook | null
  chainUrls: ReadonlyMap<number, ChainUrls>
  chains: ChainClients | null
  /** Each is loaded once, however many checks ask: a key management service may count or bill requests. */
  accounts: GivenAccounts
  /** Null if the database does not answer, or is not migrated. */
  sql: Sql<{ bigint: bigint }> | null
  /** Whether it is the world of `npm start`: then nothing is compared with what production needs. */
  isLocal: boolean
  /** The time of this machine, in milliseconds. */
  now: () => number
  /** Less free disk than this is a warning. */
  minFreeBytes: number
}
