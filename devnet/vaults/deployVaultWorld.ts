import type { Artifacts } from '../../contracts/compileContracts.ts'
import type { DevnetClient } from '../world.ts'
import { VAULT_CHAINS, type VaultDeployment } from './deployment.ts'
import { deployVaults, readRetirementBlock } from './deployVaults.ts'
import { vaultAddressBook } from './vaultAddressBook.ts'

/** Deploys the vaults of these nodes' chains, all chains at once, and returns the addresses. */
export async function deployVaultWorld(clients: DevnetClient[], artifacts: Artifacts) {
  await Promise.all(clients.map((client) => deployVaults(client, artifacts)))
  const retirements = new Map<VaultDeployment, number>()
  for (const client of clients) {
    const chain = VAULT_CHAINS.find(({ chainId }) => chainId === client.chain.id)
    for (const deployment of chain?.deployments ?? []) {
      const block = await readRetirementBlock(client, deployment)
      if (block !== null) retirements.set(deployment, block)
    }
  }
  return vaultAddressBook(
    clients.map(({ chain }) => chain.id),
    retirements,
  )
}
