import type { Address } from 'viem'
import type { FactoryGeneration } from '../../abis/smartDeposit.ts'
import type { AddressBookChain, RouteEnds } from './addressBook.ts'
import { factoriesOf } from './factories.ts'

/** A smart deposit address, by the inputs on which the payments that it accepts depend. Addresses are lower case. */
export type AcceptingAddress = {
  factoryAddress: Address
  generation: FactoryGeneration
  /** The chain of its vault, and the token that the vault takes. */
  chainId: number
  inputToken: Address
}

/** A token on a chain that a smart deposit address accepts. */
export type AcceptedPayment = {
  chainId: number
  asset: Address
  /** The Transit route over which it is sent on; null if it goes into the vault as it is. */
  route: RouteEnds | null
}

/** The parts of the address book that are read. */
type Book = {
  chains: readonly Pick<AddressBookChain, 'id' | 'smartDeposit'>[]
  transitRoutes: readonly RouteEnds[]
}

/** The payments that the address accepts by the address book, open or closed: first its input token. */
export function acceptedPayments(
  { chains, transitRoutes }: Book,
  { factoryAddress, generation, chainId, inputToken }: AcceptingAddress,
): AcceptedPayment[] {
  const direct = { chainId, asset: inputToken, route: null }
  // An address of generation A exists on the chain of its vault alone, and cannot send anything on.
  if (generation === 'A') return [direct]
  const reached = new Set(
    chains.flatMap((chain) =>
      factoriesOf(chain).some(({ address }) => address === factoryAddress) ? [chain.id] : [],
    ),
  )
  const ways = transitRoutes.filter(
    ({ sourceChainId, offerAsset, destinationChainId, wantAsset }) =>
      destinationChainId === chainId &&
      wantAsset === inputToken &&
      reached.has(sourceChainId) &&
      !(sourceChainId === chainId && offerAsset === inputToken),
  )
  return [
    direct,
    ...ways.map((route) => ({ chainId: route.sourceChainId, asset: route.offerAsset, route })),
  ]
}
