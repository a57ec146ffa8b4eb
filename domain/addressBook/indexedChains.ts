import type { AddressBook, AddressBookChain, AddressBookDeployment } from './addressBook.ts'

/** The chains that have contracts to index, in the address book's order. */
export function indexedChains(book: AddressBook): AddressBookChain[] {
  const withVaults = new Set(
    book.vaults.flatMap(({ deployments }) => deployments.map(({ chainId }) => chainId)),
  )
  return book.chains.filter(({ id, transitStation }) => transitStation || withVaults.has(id))
}

/** The fields of a deployment that decide which logs are read and how they are indexed. */
export type IndexedDeployment = Pick<
  AddressBookDeployment,
  'vault' | 'tellers' | 'accountants' | 'depositors' | 'queues' | 'feeModules'
>

/** These fields of every deployment on a chain, in the address book's order. */
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

/** All contracts of a chain whose logs are indexed. */
export function indexedContracts(book: AddressBook, chainId: number): Set<string> {
  const stations = book.chains.flatMap(({ id, transitStation }) =>
    id === chainId && transitStation ? [transitStation] : [],
  )
  const ofVaults = indexedDeployments(book, chainId).flatMap(
    ({ vault, tellers, accountants, depositors, queues, feeModules }) => [
      vault,
      ...tellers,
      ...accountants,
      ...depositors,
      ...queues,
      ...feeModules,
    ],
  )
  return new Set([...stations, ...ofVaults].map(({ address }) => address))
}
