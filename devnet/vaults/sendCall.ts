import type { Account, Address, Hex, TransactionReceipt } from 'viem'
import { type World, worldClient } from '../world.ts'

export type VaultCall = { account: Account; address: Address; data: Hex; value?: bigint }

const GAS = 3_000_000n

/** Sends the call and waits for its transaction receipt. Throws if the transaction reverts. */
export async function sendCall(
  world: World,
  chainId: number,
  { account, address, data, value = 0n }: VaultCall,
): Promise<TransactionReceipt> {
  const client = worldClient(world, chainId)
  const hash = await client.sendTransaction({ account, to: address, data, value, gas: GAS })
  const receipt = await client.waitForTransactionReceipt({ hash })
  if (receipt.status !== 'success') throw new Error(`A call of ${address} failed: ${hash}`)
  return receipt
}
