import { useChains } from './useChains.ts'

/** The names of chains, for texts. */
export function useChainName(): (chainId: number) => string {
  const chains = useChains().data ?? []
  return (id) => chains.find(({ chainId }) => chainId === id)?.name ?? `chain ${id}`
}
