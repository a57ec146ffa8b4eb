import type { Address, Hex } from 'viem'
import type { SharedServices } from '../../context.ts'
import type { TransitOrder, TransitOrderStatus } from './transitOrder.ts'

/** `read.transit_order` as postgres.js returns it: numeric as text, int8 as bigint, json parsed. */
export type TransitOrderRow = {
  id: Hex
  source_chain_id: number
  destination_chain_id: number
  offer_asset: Address
  want_asset: Address
  offer_amount: string | null
  offer_amount_normalized18: string | null
  amount_due: string | null
  remaining_amount_due: string | null
  user_address: Address | null
  receiver: Address
  distributor_code: Hex | null
  receive_time: bigint
  status: TransitOrderStatus
  created_at: bigint
  updated_at: bigint
  finalized: boolean
  executions: (RecordRow & { amount: string; remaining: string })[]
  removals: RecordRow[]
}

type RecordRow = { chainId: number; transactionHash: Hex; logIndex: number; timestamp: number }

/**
 * The order of a row. `wantDecimals` is needed only until the destination has received it: the amount due
 * will be the bridged amount cut to those decimals, like the station does on arrival.
 */
function toTransitOrder(row: TransitOrderRow, wantDecimals: () => number): TransitOrder {
  const amountDue =
    row.amount_due === null
      ? scaleFrom18(BigInt(row.offer_amount_normalized18 ?? 0), wantDecimals())
      : BigInt(row.amount_due)
  return {
    id: row.id,
    sourceChainId: row.source_chain_id,
    destinationChainId: row.destination_chain_id,
    offerAsset: row.offer_asset,
    wantAsset: row.want_asset,
    offerAmount: row.offer_amount === null ? null : BigInt(row.offer_amount),
    amountDue,
    remainingAmountDue:
      row.remaining_amount_due === null ? amountDue : BigInt(row.remaining_amount_due),
    user: row.user_address,
    receiver: row.receiver,
    distributorCode: row.distributor_code,
    receiveTime: Number(row.receive_time),
    status: row.status,
    createdAt: new Date(Number(row.created_at) * 1_000),
    updatedAt: new Date(Number(row.updated_at) * 1_000),
    finalized: row.finalized,
    executions: row.executions.map((execution) => ({
      ...execution,
      amount: BigInt(execution.amount),
      remaining: BigInt(execution.remaining),
    })),
    removals: row.removals,
  }
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
