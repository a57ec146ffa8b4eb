import type { Address } from 'viem'
import type { Journey } from '../../domain/journey/journey.ts'
import { orderAssets } from '../transit/orders/orderAssets.ts'

/** The tokens of journeys' orders, and the shares of their vaults. */
export function journeyAssets(journeys: Journey[]): { chainId: number; address: Address }[] {
  return [
    ...orderAssets(journeys.map(({ order }) => order)),
    ...journeys.map(({ end }) => ({ chainId: end.chainId, address: end.vaultAddress })),
  ]
}
