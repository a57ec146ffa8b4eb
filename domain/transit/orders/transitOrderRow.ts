import type { Address, Hex } from 'viem'
import type { SharedServices } from '../../context.ts'
import { orderTimeline } from './orderTimeline.ts'
import type { OrderMoment, TransitOrder, TransitOrderStatus } from './transitOrder.ts'

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

/**
 * The order of a row. `wantDecimals` is needed only until the destination has received it: the amount due
 * will be the bridged amount cut to those decimals, like the station does on arrival.
 */
function toTransitOrder(row: TransitOrderRow, wantDecimals: () => number): TransitOrder {
  const amountDue =
    row.amount_due === null
      ? scaleFrom18(BigInt(row.bridging?.offerAmountNormalized18 ?? 0), wantDecimals())
      : BigInt(row.amount_due)
  const timeline = orderTimeline(row)
  return {
    id: row.id,
    sourceChainId: row.source_chain_id,
    destinationChainId: row.destination_chain_id,
    offerAsset: row.offer_asset,
    wantAsset: row.want_asset,
    offerAmount: amountOf(row.offer_amount),
    amountDue,
    remainingAmountDue:
      row.remaining_amount_due === null ? amountDue : BigInt(row.remaining_amount_due),
    user: row.user_address,
    receiver: row.receiver,
    distributorCode: row.distributor_code,
    sourceTxHash: row.submission?.transactionHash ?? null,
    protocolFee: amountOf(row.protocol_fee),
    integratorFee: amountOf(row.integrator_fee),
    integratorFeeReceiver: row.integrator_fee_receiver,
    deadline: row.deadline === null ? null : Number(row.deadline),
    messageGuid: row.bridging?.guid ?? row.delivery?.guid ?? null,
    receiveTime: Number(row.receive_time),
    status: row.status,
    createdAt: new Date(Number(row.created_at) * 1_000),
    updatedAt: new Date(Number(row.updated_at) * 1_000),
    finalized: row.submission !== null && timeline.every(({ finalized }) => finalized),
    executions: row.executions.map((execution) => ({
      ...execution,
      amount: BigInt(execution.amount),
      remaining: BigInt(execution.remaining),
    })),
    removals: row.removals.map((removal) => ({
      ...removal,
      remaining: BigInt(removal.remaining),
    })),
    timeline,
  }
}

function amountOf(text: string | null): bigint | null {
  return text === null ? null : BigInt(text)
}

/** An amount with 18 decimals in a token's own, truncated like TransitStation does on arrival. */
function scaleFrom18(amount: bigint, decimals: number): bigint {
  return decimals >= 18
    ? amount * 10n ** BigInt(decimals - 18)
    : amount / 10n ** BigInt(18 - decimals)
}

/** The destination of an endpoint outside of the address book; its amounts stay as they were bridged. */
const UNKNOWN_CHAIN = 0
const UNSCALED = 18

/** The orders of rows. Reads the decimals of a want asset only for rows that need them. */
export async function toTransitOrders(
  context: Pick<SharedServices, 'tokens'>,
  rows: TransitOrderRow[],
): Promise<TransitOrder[]> {
  const pending = rows.filter(
    ({ amount_due, destination_chain_id }) =>
      amount_due === null && destination_chain_id !== UNKNOWN_CHAIN,
  )
  const decimals = new Map(
    await Promise.all(
      pending.map(async (row): Promise<[string, number]> => {
        const token = await context.tokens.get(row.destination_chain_id, row.want_asset)
        return [assetKey(row), token.decimals]
      }),
    ),
  )
  return rows.map((row) => toTransitOrder(row, () => decimals.get(assetKey(row)) ?? UNSCALED))
}

/** A row of a left join: every column is null where no order was found. */
export type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null }

export function isPresent<Extra>(
  row: Extra & Nullable<TransitOrderRow>,
): row is Extra & TransitOrderRow {
  return row.id !== null
}

function assetKey(row: { destination_chain_id: number; want_asset: Address }): string {
  return `${row.destination_chain_id}:${row.want_asset}`
}
