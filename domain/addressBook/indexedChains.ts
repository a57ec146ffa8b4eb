import type { AddressBook, AddressBookChain, AddressBookDeployment } from './addressBook.ts'

/** The chains on which the address book gives the indexer something to read, in its order. */
export function indexedChains(book: AddressBook): AddressBookChain[] {
  const withVaults = new Set(
    book.vaults.flatMap(({ deployments }) => deployments.map(({ chainId }) => chainId)),
  )
  return book.chains.filter(({ id, transitStation }) => transitStation || withVaults.has(id))
}

/** What of a deployment decides which logs are read, and what is made of them. */
export type IndexedDeployment = Pick<
  AddressBookDeployment,
  'vault' | 'tellers' | 'accountants' | 'depositors' | 'queues' | 'feeModules'
>

/** That of every deployment on a chain, in the order of the book. */
export function indexedDeployments(book: AddressBook, chainId: number): IndexedDeployment[] {
  return book.vaults
    .flatMap(({ deployments }) => deployments)
    .filter((deployment) => deployment.chainId === chainId)
    .map(({ vault, tellers, accountants, depositors, queues, feeModules }) => ({
      vault,
      tellers,
      accountants,
      depositors,
      queues,
      feeModules,
    }))
}
