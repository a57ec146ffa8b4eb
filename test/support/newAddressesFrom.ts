import type { FactoryGeneration } from '../../abis/smartDeposit.ts'
import type { AddressBook, AddressBookFile } from '../../domain/addressBook/addressBook.ts'

/** From now on the chains of the book give new smart deposit addresses from their factories of this generation. */
export function newAddressesFrom(
  { chains }: AddressBook | AddressBookFile,
  wanted: FactoryGeneration,
): void {
  for (const chain of chains) {
    const { smartDeposit: first } = chain
    const others = first?.otherFactories ?? []
    const found = others.find(({ generation }) => generation === wanted)
    if (!first || first.generation === wanted || !found) continue
    const { generation, factory, implementation, startBlock } = first
    const former = { generation, factory, implementation, startBlock }
    const otherFactories = [former, ...others.filter((one) => one !== found)]
    Object.assign(chain, { smartDeposit: { ...first, ...found, otherFactories } })
  }
}
