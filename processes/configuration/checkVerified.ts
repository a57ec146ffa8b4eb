import { readBookValue } from '../../domain/addressBook/addressBook.ts'
import { type BookValue, whyUnverified } from '../../domain/addressBook/bookStamp.ts'
import { EnvironmentError } from './environmentError.ts'
import { loadGivenBook } from './givenBook.ts'

/**
 * Throws `EnvironmentError` for a PRODUCTION book that `address-book verify` did not stamp as it is. This is against
 * forgetting: whoever writes the file can write a stamp too.
 */
export async function checkVerified({
  ADDRESS_BOOK: path,
  ADDRESS_BOOK_ALLOW_UNVERIFIED: isAllowed,
}: NodeJS.ProcessEnv): Promise<void> {
  if (!path || isAllowed === 'true') return
  const { environment } = await loadGivenBook(path)
  if (environment !== 'PRODUCTION') return
  const reason = whyUnverified((await readBookValue(path)) as BookValue) // It was parsed as a book.
  if (reason)
    throw new EnvironmentError([
      `ADDRESS_BOOK: ${path} ${reason} against its chains. Run npm run address-book -- verify --file ${path}.`,
    ])
}
