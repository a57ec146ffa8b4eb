import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { localShieldBook } from '../../devnet/localShieldBook.ts'
import type { AddressBook } from '../../domain/addressBook/addressBook.ts'

/** Writes the signed shield book of local nodes. An operator of other chains signs one by `npm run address-book -- shield-book`. */
export async function writeLocalShieldBook(
  dataDirectory: string,
  addressBook: AddressBook,
): Promise<{ bookFile: string; signers: string[] }> {
  const { book, signers } = await localShieldBook(addressBook)
  const bookFile = join(dataDirectory, 'shield-book.json')
  await writeFile(bookFile, `${JSON.stringify(book, null, 2)}\n`)
  return { bookFile, signers }
}
