import type { UserPosition } from '../../../domain/earn/positions/listUserPositions.ts'

/** The shares of each position. */
export function positionShares(positions: Pick<UserPosition, 'chainId' | 'vaultAddress'>[]) {
  return positions.map(({ chainId, vaultAddress: address }) => ({ chainId, address }))
}
