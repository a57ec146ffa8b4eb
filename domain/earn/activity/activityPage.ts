import type { Address, Hex } from 'viem'
import type { Activity, ActivityType } from './activity.ts'

export type ActivityPage = { activity: Activity[]; nextPageToken: string | null }

/** The rows of a page, before rates are read from their chains. */
export type ActivityRows = { rows: ActivityRow[]; nextPageToken: string | null }

/** A row as postgres.js returns it: numeric as text, int8 as bigint. */
export type ActivityRow = {
  chain_id: number
  block_number: bigint
  block_timestamp: bigint
  transaction_hash: Hex
  log_index: number
  part: number
  wire_type: ActivityType
  type: string
  vault: Address
  user_address: Address
  counterparty: Address | null
  asset: Address | null
  asset_amount: string | null
  shares: string
  /** Null before the vault's first update of its rate. */
  rate: string | null
  /** The rate before that update, if the row lacks its own. Null without any update. */
  opening_rate: string | null
  order_index: string | null
  deposit_id: Hex | null
}
