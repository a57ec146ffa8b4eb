import { loadAddressBook } from '../domain/addressBook/addressBook.ts'
import type { World } from './world.ts'

/** The local world that ADDRESS_BOOK and RPC_URL_<chainId> name. Throws `AddressBookError`. */
export async function worldFromEnvironment(source: NodeJS.ProcessEnv): Promise<World> {
  const addressBook = await loadAddressBook(source.ADDRESS_BOOK ?? '')
  const urls = addressBook.chains.flatMap(({ id }) => {
    const url = source[`RPC_URL_${id}`]
    return url ? [[id, url]] : []
  })
  return { addressBook, rpcUrls: Object.fromEntries(urls) }
}
