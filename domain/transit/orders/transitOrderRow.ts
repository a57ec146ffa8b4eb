import type { Address, Hex } from 'viem'
import type { OrderMoment, TransitOrderStatus } from './transitOrder.ts'

/** The columns of `read.transit_order` that `TransitOrderRow` has. */
export const TRANSIT_ORDER_COLUMNS = [
  'id',
  'source_chain_id',
  'destination_chain_id',
  'offer_asset',
  'want_asset',
  'offer_amount',
  'amount_due',
  'remaining_amount_due',
  'user_address',
  'receiver',
  'distributor_code',
  'protocol_fee',
  'integrator_fee',
  'integrator_fee_receiver',
  'deadline',
  'receive_time',
  'status',
  'created_at',
  'updated_at',
  'source_finalized_block',
  'destination_finalized_block',
  'submission',
  'bridging',
  'delivery',
  'tombstone',
  'executions',
  'removals',
] as const satisfies (keyof TransitOrderRow)[]

/** A row of `read.transit_order` as postgres.js returns it: numeric as text, int8 as bigint, json parsed. */
export type TransitOrderRow = {
  id: Hex
  source_chain_id: number
  destination_chain_id: number
  offer_asset: Address
  want_asset: Address
  offer_amount: string | null
  amount_due: string | null
  remaining_amount_due: string | null
  user_address: Address | null
  receiver: Address
  distributor_code: Hex | null
  protocol_fee: string | null
  integrator_fee: string | null
  integrator_fee_receiver: Address | null
  deadline: bigint | null
  receive_time: bigint
  status: TransitOrderStatus
  created_at: bigint
  updated_at: bigint
  /** Null for a chain that is not indexed. */
  source_finalized_block: bigint | null
  destination_finalized_block: bigint | null
  submission: OrderMoment | null
  /** Null on one chain. */
  bridging: (OrderMoment & { guid: Hex; offerAmountNormalized18: string }) | null
  delivery: (OrderMoment & { guid: Hex | null }) | null
  /** The first one; null for an order that has arrived. */
  tombstone: OrderMoment | null
  executions: (RecordRow & { amount: string; remaining: string })[]
  removals: (RecordRow & { remaining: string })[]
}

type RecordRow = OrderMoment & { logIndex: number }

/** A row of a left join: every column is null where no order was found. */
export type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null }

export function isPresent<Extra>(
  row: Extra & Nullable<TransitOrderRow>,
): row is Extra & TransitOrderRow {
  return row.id !== null
}
