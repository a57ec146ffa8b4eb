import type { Address } from 'viem'
import type { AddressBook, AddressBookDeployment } from './addressBook.ts'

type Vaults = AddressBook['vaults']

const deploymentsOf = new WeakMap<Vaults, Map<string, AddressBookDeployment>>()

/** The entry of a vault on a chain, also where not all of its contracts in use are known. */
export function findBookDeployment(
  { vaults }: Pick<AddressBook, 'vaults'>,
  { chainId, vault }: { chainId: number; vault: Address },
): AddressBookDeployment | undefined {
  return deploymentsByPlace(vaults).get(placeOf(chainId, vault))
}

/** Computed once per book, since a book does not change. */
function deploymentsByPlace(vaults: Vaults): Map<string, AddressBookDeployment> {
  const known = deploymentsOf.get(vaults)
  if (known) return known
  const entries = vaults.flatMap(({ deployments }) => deployments)
  const deployments = new Map(
    entries.map((entry) => [placeOf(entry.chainId, entry.vault.address), entry]),
  )
  deploymentsOf.set(vaults, deployments)
  return deployments
}

function placeOf(chainId: number, vault: Address): string {
  return `${chainId}:${vault}`
}
