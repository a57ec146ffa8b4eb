import { readFileSync } from 'node:fs'
import { type AddressBook, parseAddressBook } from './addressBook.ts'

/**
 * The address book of this indexing process, which names it by `ADDRESS_BOOK`. Ponder loads its config
 * and handlers one after the other, each for itself. Throws `AddressBookError`.
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
