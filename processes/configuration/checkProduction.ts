import type { AddressBook } from '../../domain/addressBook/addressBook.ts'
import { isClearText } from './doubts.ts'
import { EnvironmentError } from './environmentError.ts'

const URLS = {
  CONSOLE_ORIGIN: 'passwords and sessions would cross the network in clear text',
  CONSOLE_OIDC_ISSUER: 'whoever is on the way could sign in as anybody',
}

/** Throws `EnvironmentError` for what is never right with an address book of production. */
export async function checkProduction(
  { environment }: Pick<AddressBook, 'environment'>,
  source: NodeJS.ProcessEnv,
): Promise<void> {
  if (environment !== 'PRODUCTION') return
  const problems = Object.entries(URLS).flatMap(([name, harm]) => {
    const value = source[name] ?? ''
    const isWrong = URL.canParse(value) && isClearText(new URL(value))
    return isWrong ? [`${name}: is http, so ${harm}. Set an https URL.`] : []
  })
  if (problems.length > 0) throw new EnvironmentError(problems)
}
