import type { Address } from 'viem'
import type { AddressBookDeployment } from '../addressBook/addressBook.ts'
import type { VAULT_CONTRACTS } from '../addressBook/vaultFormat.ts'

/** A contract in use, and where the file has it. */
export type ListedContract = { address: Address; generation: string; place: string }

/** What a check of one deployment gets: where it is in the file, and which contracts are really there. */
export type DeploymentInPlace = {
  deployment: AddressBookDeployment
  place: string
  /** The contracts in use that have code. */
  inUse: Partial<Record<(typeof VAULT_CONTRACTS)[number], ListedContract>>
  hasVault: boolean
}
