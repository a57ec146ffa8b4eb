import {
  type AddressBook,
  parseAddressBook,
  readBookValue,
} from '../domain/addressBook/addressBook.ts'
import type { BookValue } from '../domain/addressBook/bookStamp.ts'
import type { ChainEndpoint } from '../domain/chain/chainClients.ts'
import { loadGivenChainUrls } from '../processes/configuration/chainUrls.ts'
import { withSecretFiles } from '../processes/configuration/secretFiles.ts'
import { findDataDirectory } from '../processes/dataDirectory.ts'
import { readRunFile } from '../processes/start/runFile.ts'

/** No address book is configured, and no local start runs. */
export class NoAddressBookError extends Error {
  override name = 'NoAddressBookError'
}

export type FoundEnvironment = {
  book: AddressBook
  path: string
  /** The JSON value of the file. */
  value: BookValue
  /** One per chain of the book; without URLs if none is configured. */
  endpoints: ChainEndpoint[]
  /** The chains whose nodes are those of the local start. */
  localChainIds: number[]
}

/**
 * The address book at `file`, else `ADDRESS_BOOK`, else that of the running local start; the nodes from
 * `RPC_URL_<chainId>`, else of that start. Throws `NoAddressBookError`, `AddressBookError` and
 * `EnvironmentError`.
 */
export async function findEnvironment(
  source: NodeJS.ProcessEnv,
  file?: string,
): Promise<FoundEnvironment> {
  const run = await readRunFile(findDataDirectory(source))
  const path = file ?? (source.ADDRESS_BOOK || run?.addressBook)
  if (path === undefined)
    throw new NoAddressBookError(
      'No address book: give --file, set ADDRESS_BOOK, or run npm start first',
    )
  const value = await readBookValue(path)
  const book = parseAddressBook(value, path)
  const ids = book.chains.map(({ id }) => id)
  const given = await withSecretFiles(source, async (resolved) => loadGivenChainUrls(ids, resolved))
  const found = ids.map((chainId) => {
    const configured = given.get(chainId)?.rpcUrls ?? []
    const local = run?.rpcUrls[chainId]
    const isLocal = configured.length === 0 && local !== undefined
    return { chainId, rpcUrls: isLocal ? [local] : configured, isLocal }
  })
  return {
    book,
    path,
    value: value as BookValue, // It was parsed as a book.
    endpoints: found.map(({ chainId, rpcUrls }) => ({ chainId, rpcUrls })),
    localChainIds: found.filter(({ isLocal }) => isLocal).map(({ chainId }) => chainId),
  }
}
