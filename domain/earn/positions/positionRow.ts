import type { Address } from 'viem'
import type { IndexedCost } from './positionCost.ts'

/** A row of a position as postgres.js returns it: numeric as text. */
export type PositionRow = IndexedCost & {
  chainId: number
  vault: Address
  /** Null for an account that never had shares. */
  account: Address | null
  balance: string
  rate: string | null
  /** Null as the rate. */
  openingRate: string | null
}
