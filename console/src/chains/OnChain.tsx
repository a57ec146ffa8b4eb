import { Hex } from '../components/Hex.tsx'
import { useChain } from './useChains.ts'

type Props = { chainId: number; hex: string; kind: 'tx' | 'address' | 'token' }

const NOUNS = { tx: 'transaction', address: 'address', token: 'token address' } as const

/** A transaction or an address, which leads to the chain's explorer where there is one. */
export function OnChain({ chainId, hex, kind }: Props) {
  const explorer = useChain(chainId)?.explorerUrl
  const href = explorer ? `${explorer.replace(/\/$/, '')}/${kind}/${hex}` : undefined
  return <Hex hex={hex} of={NOUNS[kind]} href={href} />
}
