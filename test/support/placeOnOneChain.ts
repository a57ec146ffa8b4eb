import type { Hex } from 'viem'
import { DEVNET_USERS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { placeOrder } from '../../devnet/placeOrder.ts'
import type { World } from '../../devnet/world.ts'

/** Places an order of the first user that starts and ends on one chain. Resolves to its id. */
export async function placeOnOneChain(world: World, chainId = 1): Promise<Hex> {
  const { orderId } = await placeOrder(world, {
    user: DEVNET_USERS[0] as (typeof DEVNET_USERS)[number],
    sourceChainId: chainId,
    destinationChainId: chainId,
    offerAsset: DEPLOYMENT.tokens.USDC,
    wantAsset: DEPLOYMENT.tokens.USDG,
    offerAmount: 10_000_000n,
  })
  return orderId
}
