import type { Address } from 'viem'
import type {
  AddressBook,
  AddressBookDeployment,
  AddressBookVault,
} from '../../addressBook/addressBook.ts'
import { oncePer } from '../../cache/oncePer.ts'
import { chainNotFound } from '../../chain/chainNotFound.ts'
import { ServiceError } from '../../error/serviceError.ts'
import { checksummed } from '../../token/checksummed.ts'
import { contractInUse } from './contractInUse.ts'

/** A vault on one chain, from the address book, with the contracts in use now. Addresses are lower case. */
export type EarnDeployment = {
  name: string
  yieldType: AddressBookVault['yieldType']
  chainId: number
  /** The vault itself, which is also its share token. */
  vault: Address
  /** The decimals of the shares by the address book; null for those of the base. */
  listedShareDecimals: number | null
  teller: Address
  accountant: Address
  depositor: Address
  depositorGeneration: AddressBookDeployment['depositors'][number]['generation']
  /** The unit of the depositor's supply cap. */
  capIn: NonNullable<AddressBookDeployment['depositors'][number]['capIn']>
  queue: Address
  /** Every queue that the vault has had, the newest first. */
  queues: Address[]
  manager: Address | null
  rolesAuthority: Address | null
  baseToken: Address
  baseTokenStandIn: AddressBookDeployment['baseTokenStandIn'] | null
  assets: AddressBookDeployment['assets']
  inDeprecation: boolean
}

/** The address book's deployments whose contracts in use are all known, by chain and vault. */
export function earnDeployments(book: AddressBook): EarnDeployment[] {
  return [...deploymentsByPlace(book).values()]
}

/** The deployment of a vault on a chain, or undefined. */
export function findDeployment(
  book: AddressBook,
  chainId: number,
  vault: Address,
): EarnDeployment | undefined {
  return deploymentsByPlace(book).get(placeOf(chainId, vault))
}

/** The deployment of a vault on a chain. Throws `CHAIN_NOT_FOUND` or `VAULT_NOT_FOUND`. */
export function getDeployment(book: AddressBook, chainId: number, vault: Address): EarnDeployment {
  const found = findDeployment(book, chainId, vault)
  if (found) return found
  throw (
    chainNotFound(book, chainId) ??
    new ServiceError(
      'VAULT_NOT_FOUND',
      `There is no vault ${checksummed(vault)} on chain ${chainId}`,
    )
  )
}

/** The deployments of a vault, at most one per chain. Throws `CHAIN_NOT_FOUND` or `VAULT_NOT_FOUND`. */
export function deploymentsOfVault(
  book: AddressBook,
  vault: Address,
  chainId: number | undefined,
): EarnDeployment[] {
  if (chainId !== undefined) return [getDeployment(book, chainId, vault)]
  const found = earnDeployments(book).filter((deployment) => deployment.vault === vault)
  if (found.length > 0) return found
  throw new ServiceError('VAULT_NOT_FOUND', `There is no vault ${checksummed(vault)}`)
}

const deploymentsByPlace = oncePer((book: AddressBook) => {
  const served = book.vaults
    .flatMap((vault) => vault.deployments.flatMap((entry) => inUse(vault, entry) ?? []))
    .sort((a, b) => a.chainId - b.chainId || (a.vault < b.vault ? -1 : 1))
  return new Map(served.map((entry) => [placeOf(entry.chainId, entry.vault), entry]))
})

function placeOf(chainId: number, vault: Address): string {
  return `${chainId}:${vault}`
}

function inUse(
  { name, yieldType }: AddressBookVault,
  entry: AddressBookDeployment,
): EarnDeployment | null {
  const [teller, accountant, depositor, queue] = [
    contractInUse(entry.tellers),
    contractInUse(entry.accountants),
    contractInUse(entry.depositors),
    contractInUse(entry.queues),
  ]
  if (!teller || !accountant || !depositor || !queue) return null
  return {
    name,
    yieldType,
    chainId: entry.chainId,
    vault: entry.vault.address,
    listedShareDecimals: entry.vault.decimals ?? null,
    teller: teller.address,
    accountant: accountant.address,
    queue: queue.address,
    queues: entry.queues.map(({ address }) => address).toReversed(),
    depositor: depositor.address,
    depositorGeneration: depositor.generation,
    capIn: depositor.capIn ?? 'value',
    manager: entry.manager ?? null,
    rolesAuthority: entry.rolesAuthority ?? null,
    baseToken: entry.baseToken,
    baseTokenStandIn: entry.baseTokenStandIn ?? null,
    assets: entry.assets,
    inDeprecation: entry.inDeprecation,
  }
}
