import type { Address } from 'viem'
import { oncePer } from '../cache/oncePer.ts'
import type { AddressBook, AddressBookDeployment } from './addressBook.ts'

/** The entry of a vault on a chain, also where not all of its contracts in use are known. */
export function findBookDeployment(
  { vaults }: Pick<AddressBook, 'vaults'>,
  { chainId, vault }: { chainId: number; vault: Address },
): AddressBookDeployment | undefined {
  return deploymentsByPlace(vaults).get(placeOf(chainId, vault))
}

const deploymentsByPlace = oncePer((vaults: AddressBook['vaults']) => {
  const entries = vaults.flatMap(({ deployments }) => deployments)
  return new Map(entries.map((entry) => [placeOf(entry.chainId, entry.vault.address), entry]))
})

function placeOf(chainId: number, vault: Address): string {
  return `${chainId}:${vault}`
}
