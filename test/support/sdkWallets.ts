import { createPublicClient, createWalletClient, http, type LocalAccount } from 'viem'
import type { World } from '../../devnet/world.ts'

/** viem's clients as an integrator has them. */
export function sdkWallets(world: Pick<World, 'rpcUrls'>, account: LocalAccount, chainId = 1) {
  const transport = http(world.rpcUrls[chainId])
  return {
    walletClient: createWalletClient({ account, transport }),
    publicClient: createPublicClient({ transport, pollingInterval: 50, cacheTime: 0 }),
  }
}
