import type { components } from '@causeway/sdk'
import type { Address } from 'viem'

export type VaultPlace = { chainId: number; vaultAddress: Address }

type Vault = components['schemas']['Vault']

/** The same text for the same deployment of a vault. */
export function vaultKey({ chainId, vaultAddress }: VaultPlace): string {
  return `${chainId}:${vaultAddress}`
}

/** The deployments of all vaults, each with the name of its vault. */
export function deploymentsOf(vaults: readonly Vault[]) {
  return vaults.flatMap(({ name, deployments }) =>
    deployments.map((one) => ({ ...one, name, vaultAddress: one.boringVaultAddress })),
  )
}
