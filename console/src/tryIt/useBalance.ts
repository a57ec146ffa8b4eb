import { useQuery } from '@tanstack/react-query'
import { type Address, erc20Abi } from 'viem'
import type { Wallet } from './wallet.ts'

const EVERY_MS = 5_000

/** The balance of the wallet's account in a token, in base units. Undefined while it is not known. */
export function useBalance(wallet: Wallet, chainId: number, token: Address): bigint | undefined {
  const { data } = useQuery({
    queryKey: ['balance', wallet.address, chainId, token],
    refetchInterval: EVERY_MS,
    // An injected wallet would be switched to the chain for it.
    enabled: wallet.isLocal,
    queryFn: async () => {
      const { publicClient } = await wallet.clientsOf(chainId)
      const address = token
      const args = [wallet.address] as const
      return publicClient.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args })
    },
  })
  return data
}
