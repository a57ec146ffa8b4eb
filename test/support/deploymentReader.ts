import type { Address } from 'viem'
import type { World } from '../../devnet/world.ts'
import { createReadStore } from '../../domain/cache/keptReads.ts'
import { createChainClients } from '../../domain/chain/chainClients.ts'
import { createKnownAddresses } from '../../domain/chain/knownAddresses.ts'
import { createDeploymentStateCache } from '../../domain/earn/vaults/deploymentStateCache.ts'
import { createVaultHoldingsCache } from '../../domain/earn/vaults/vaultHoldingsCache.ts'
import { lower } from './lower.ts'

export type DeploymentReader = ReturnType<typeof deploymentReader>

/**
 * Reads the deployments of a world's chains, without a cache except for the references between
 * contracts.
 */
export function deploymentReader({ addressBook, rpcUrls }: World) {
  const endpoints = Object.entries(rpcUrls).map(([id, url]) => ({
    chainId: Number(id),
    rpcUrls: [url],
  }))
  const chains = createChainClients(endpoints, addressBook)
  const known = createKnownAddresses()
  const parts = () => ({ chains, known, store: createReadStore('test', { max: 10 }) })
  return {
    holdings: (chainId: number) => createVaultHoldingsCache(addressBook, parts()).get(chainId),
    states: (chainId: number) => createDeploymentStateCache(addressBook, parts()).get(chainId),
  }
}

/** The holdings of one vault. Throws if it was not read. */
export async function readVault(
  reader: DeploymentReader,
  { vault, chainId }: { vault: Address; chainId: number },
) {
  const read = (await reader.holdings(chainId)).get(lower(vault))
  if (!read) throw new Error(`the vault ${vault} was not read`)
  return read
}
