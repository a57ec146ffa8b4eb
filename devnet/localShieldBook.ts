import type { AddressBook } from '../domain/addressBook/addressBook.ts'
import {
  DEFAULT_MAX_DEADLINE_SECONDS,
  makeShieldBook,
  signShieldBook,
} from '../domain/shieldBook/makeShieldBook.ts'
import { DEVNET_ACTORS } from './accounts.ts'

const YEAR_SECONDS = 31_536_000

/** The shield book of the local world, signed by its operator, with the accounts that an app pins. */
export async function localShieldBook(book: AddressBook) {
  const { operator, quoteSigner } = DEVNET_ACTORS
  const issuedAt = Math.floor(Date.now() / 1_000)
  const made = makeShieldBook(book, {
    issuedAt,
    expiresAt: issuedAt + YEAR_SECONDS,
    maxDeadlineSeconds: DEFAULT_MAX_DEADLINE_SECONDS,
    quoteSigners: [quoteSigner.address],
  })
  const { environment } = made
  return { book: await signShieldBook(made, operator), signers: [operator.address], environment }
}
