import type { FactoryGeneration } from '../../abis/smartDeposit.ts'
import type { AddressBook } from '../../domain/addressBook/addressBook.ts'

/** From now on the chains of the book give new smart deposit addresses from their factories of this generation. */
export function newAddressesFrom({ chains }: AddressBook, generation: FactoryGeneration): void {
  for (const chain of chains) {
    const { smartDeposit: first } = chain
    if (!first || first.generation === generation) continue
    const wanted = first.otherFactories.find((one) => one.generation === generation)
    if (!wanted) continue
    const otherFactories = [first, ...first.otherFactories.filter((one) => one !== wanted)]
    chain.smartDeposit = { ...first, ...wanted, otherFactories }
  }
}
