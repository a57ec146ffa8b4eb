import {
  type AddressBook,
  AddressBookError,
  loadAddressBook,
} from '../../domain/addressBook/addressBook.ts'
import { EnvironmentError } from './environmentError.ts'

/** Reads the file of ADDRESS_BOOK. Throws `EnvironmentError` with a line for each wrong place in it. */
export async function loadGivenBook(path: string): Promise<AddressBook> {
  try {
    return await loadAddressBook(path)
  } catch (error) {
    if (!(error instanceof AddressBookError)) throw error
    throw new EnvironmentError(error.problems.map((problem) => `ADDRESS_BOOK: ${path}: ${problem}`))
  }
}

/** Throws `EnvironmentError` for a chain that the book lacks, or that is named twice. */
export function assertChainsKnown(
  variable: string,
  chainIds: number[],
  known: readonly { id: number }[],
) {
  const ids = known.map(({ id }) => id)
  const unknown = chainIds.filter((id) => !ids.includes(id))
  const twice = chainIds.filter((id, index) => chainIds.indexOf(id) !== index)
  const problems = [
    ...unknown.map(
      (id) => `${variable}: the address book has no chain ${id}. Name some of ${ids.join(', ')}.`,
    ),
    ...twice.map((id) => `${variable}: names chain ${id} twice. Name it once.`),
  ]
  if (problems.length > 0) throw new EnvironmentError(problems)
}
