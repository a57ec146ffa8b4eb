import { readFileSync } from 'node:fs'
import { type AddressBook, parseAddressBook } from './addressBook.ts'

/**
 * The address book of this indexing process, from the file that `ADDRESS_BOOK` names. Ponder loads its
 * config and handlers separately, so each of them reads the file. Throws `AddressBookError`.
 */
export function readIndexedBook(): AddressBook {
  const path = requireVariable('ADDRESS_BOOK')
  return parseAddressBook(JSON.parse(readFileSync(path, 'utf8')), path)
}

/** A variable that the launcher sets. */
export function requireVariable(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`Ponder is started by processes/indexer.ts, which sets ${name}`)
  return value
}
