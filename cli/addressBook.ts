import { runAddressBook } from './addressBook/runAddressBook.ts'

/** Compares the address book with its chains: `npm run address-book -- --help`. */
process.exitCode = await runAddressBook(process.argv.slice(2), process)
