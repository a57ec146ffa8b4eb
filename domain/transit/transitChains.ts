import type { AddressBook } from '../addressBook/addressBook.ts'
import { oncePer } from '../cache/oncePer.ts'

type Chains = Pick<AddressBook, 'chains'>

/** A chain with its transit station. */
export type TransitChain = { chainId: number; station: `0x${string}` }

/** The chains that have a transit station. */
export const transitChains = oncePer(({ chains }: Chains): readonly TransitChain[] =>
  chains.flatMap(({ id, transitStation }) =>
    transitStation ? [{ chainId: id, station: transitStation.address }] : [],
  ),
)

/** The transit station of a chain, or undefined. */
export function stationOf(book: Chains, chainId: number): TransitChain['station'] | undefined {
  return transitChains(book).find((chain) => chain.chainId === chainId)?.station
}
