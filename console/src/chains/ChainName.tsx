import { useChain } from './useChains.ts'

export function ChainName({ chainId }: { chainId: number }) {
  const chain = useChain(chainId)
  return <span className="chain">{chain?.name ?? `Chain ${chainId}`}</span>
}
