import type { Address } from 'viem'
import type { World } from '../world.ts'

type InUse<Generation extends string> = { address: Address; generation: Generation }

/** The contracts of one vault on one chain that are in use. */
export type VaultInUse = {
  name: string
  chainId: number
  accountant: InUse<'A' | 'B'>
  queue: Address
}

/** The vaults of the world's address book, on the chains for which it has nodes. */
export function worldVaults({ addressBook, rpcUrls }: World): VaultInUse[] {
  return addressBook.vaults.flatMap(({ name, deployments }) =>
    deployments.flatMap(({ chainId, accountants, queues }) => {
      const [accountant, queue] = [accountants.at(-1), queues.at(-1)]
      return accountant && queue && rpcUrls[chainId]
        ? [{ name, chainId, accountant, queue: queue.address }]
        : []
    }),
  )
}
