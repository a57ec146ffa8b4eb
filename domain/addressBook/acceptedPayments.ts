import type { Address } from 'viem'
import type { FactoryGeneration } from '../../abis/smartDeposit.ts'
import type { AddressBook, RouteEnds } from './addressBook.ts'
import { factoriesOf } from './factories.ts'

/** What decides which payments a smart deposit address accepts. Addresses are lower case. */
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
  /** The Transit route over which it is sent on; null for what goes into the vault as it is. */
  route: RouteEnds | null
}

/** What the address accepts by the address book, whether or not it is open now: first its input token. */
export function acceptedPayments(
  { chains, transitRoutes }: Pick<AddressBook, 'chains' | 'transitRoutes'>,
  { factoryAddress, generation, chainId, inputToken }: AcceptingAddress,
): AcceptedPayment[] {
  const direct = { chainId, asset: inputToken, route: null }
  // Of generation A, the address exists on the chain of its vault only, and cannot send anything on.
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
