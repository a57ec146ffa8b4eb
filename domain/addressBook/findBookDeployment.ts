import type { Address } from 'viem'
import type { AddressBook, AddressBookDeployment } from './addressBook.ts'

/** The entry of a vault on a chain, also where not all of its contracts in use are known. */
export function findBookDeployment(
  { vaults }: Pick<AddressBook, 'vaults'>,
  { chainId, vault }: { chainId: number; vault: Address },
): AddressBookDeployment | undefined {
  return vaults
    .flatMap(({ deployments }) => deployments)
    .find((entry) => entry.chainId === chainId && entry.vault.address === vault)
}
