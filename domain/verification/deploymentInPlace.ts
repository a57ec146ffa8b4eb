import type { Address } from 'viem'
import type { AddressBookDeployment } from '../addressBook/addressBook.ts'
import type { VAULT_CONTRACTS } from '../addressBook/vaultFormat.ts'

/** A contract in use, and its place in the file. */
export type ListedContract = { address: Address; generation: string; place: string }

/** The input of a check of one deployment: its place in the file, and the contracts that exist on chain. */
export type DeploymentInPlace = {
  deployment: AddressBookDeployment
  place: string
  /** The contracts in use that have code. */
  inUse: Partial<Record<(typeof VAULT_CONTRACTS)[number], ListedContract>>
  hasVault: boolean
}
