import type { Address, Hex } from 'viem'
import { INDEXED_ACTIVITIES } from '../../../db/readViews/activityFunctions.ts'
import type { Token } from '../../token/tokenReader.ts'

/** The types of activities. */
export const ACTIVITY_TYPES = [...INDEXED_ACTIVITIES, 'SMART_DEPOSIT'] as const
export type ActivityType = (typeof ACTIVITY_TYPES)[number]

/** One step of a user in a vault. Addresses are lower case; shares are base units of the vault. */
export type Activity = {
  /** `<chainId>:<transaction>:<log index>`, and `:IN` or `:OUT` for a side of a transfer. */
  id: string
  type: ActivityType
  chainId: number
  vault: Address
  userAddress: Address
  counterparty: Address | null
  assetAddress: Address | null
  /** Base units of the asset. */
  assetAmount: bigint | null
  shareAmount: bigint
  /** Whole units of the base with all decimals, as `valueInBase`. */
  exchangeRateToBase: string
  valueInBase: string
  base: Token
  transactionHash: Hex
  logIndex: number
  blockNumber: bigint
  timestamp: Date
  orderIndex: bigint | null
  /** Null unless the caller's organization registered the smart deposit address. */
  depositId: Hex | null
}
