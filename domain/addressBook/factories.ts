import type { Address } from 'viem'
import type { FactoryGeneration } from '../../abis/smartDeposit.ts'
import type { AddressBookChain } from './addressBook.ts'

/** A factory of the address book. */
export type BookFactory = {
  address: Address
  implementation: Address
  generation: FactoryGeneration
  /** The block in which it was created. */
  startBlock: number
}

/** All factories of a chain, first the one that gives new addresses. */
export function factoriesOf({
  smartDeposit,
}: Pick<AddressBookChain, 'smartDeposit'>): BookFactory[] {
  if (!smartDeposit) return []
  return [smartDeposit, ...smartDeposit.otherFactories].map(
    ({ factory: address, implementation, generation, startBlock }) => ({
      address,
      implementation,
      generation,
      startBlock,
    }),
  )
}

/** The place in the book of the chain's factory with this index of `factoriesOf`. `chain` is the place of the chain. */
export function factoryPlace(chain: string, index: number): string {
  return `${chain}.smartDeposit${index === 0 ? '' : `.otherFactories.${index - 1}`}`
}
