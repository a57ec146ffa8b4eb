import type { Address } from 'viem'
import type { AddressBookDeployment } from '../addressBook/addressBook.ts'
import type { CAP_UNITS, VAULT_CONTRACTS } from '../addressBook/vaultFormat.ts'

/** A contract in use, and its place in the file. */
export type ListedContract = ListedVersion & { place: string }

/** An entry of a deployment's `tellers`, `accountants`, `depositors` or `queues`. */
export type ListedVersion = {
  address: Address
  generation: string
  fromBlock: number
  toBlock?: number | 'unknown' | undefined
  /** A depositor's. */
  capIn?: (typeof CAP_UNITS)[number] | undefined
}

/** The input of a check of one deployment: its place in the file, and the contracts that exist on chain. */
export type DeploymentInPlace = {
  deployment: AddressBookDeployment
  place: string
  /** The contracts in use that have code. */
  inUse: Partial<Record<(typeof VAULT_CONTRACTS)[number], ListedContract>>
  /** The contracts that have code, former ones included. */
  everUsed: Record<(typeof VAULT_CONTRACTS)[number], ListedContract[]>
  hasVault: boolean
}
