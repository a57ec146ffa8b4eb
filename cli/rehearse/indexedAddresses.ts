import type { Address } from 'viem'
import type { AddressBook } from '../../domain/addressBook/addressBook.ts'
import { indexedDeployments } from '../../domain/addressBook/indexedChains.ts'

/** The contracts of a chain whose logs the index reads. */
export function indexedAddresses(book: AddressBook, chainId: number): Address[] {
  const station = book.chains.find(({ id }) => id === chainId)?.transitStation
  const ofVaults = indexedDeployments(book, chainId).flatMap(({ vault, ...contracts }) => [
    vault.address,
    ...Object.values(contracts).flatMap((versions) => versions.map(({ address }) => address)),
  ])
  return [...new Set([...(station ? [station.address] : []), ...ofVaults])]
}
