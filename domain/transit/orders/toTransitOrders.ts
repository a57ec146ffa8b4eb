import type { Address } from 'viem'
import type { SharedServices } from '../../context.ts'
import { amountOrNull } from '../../token/amount.ts'
import { scaleAmount, WIRE_DECIMALS } from '../scaleAmount.ts'
import { orderTimeline } from './orderTimeline.ts'
import type { TransitOrder } from './transitOrder.ts'
import type { TransitOrderRow } from './transitOrderRow.ts'

/**
 * The order of a row. `wantDecimals` is needed only until the destination has received it: the amount due
 * will be the bridged amount cut to those decimals, like the station does on arrival.
 */
function toTransitOrder(row: TransitOrderRow, wantDecimals: () => number): TransitOrder {
  const amountDue =
    row.amount_due === null
      ? scaleAmount(
          BigInt(row.bridging?.offerAmountNormalized18 ?? 0),
          WIRE_DECIMALS,
          wantDecimals(),
        )
      : BigInt(row.amount_due)
  const timeline = orderTimeline(row)
  return {
    id: row.id,
    sourceChainId: row.source_chain_id,
    destinationChainId: row.destination_chain_id,
    offerAsset: row.offer_asset,
    wantAsset: row.want_asset,
    offerAmount: amountOrNull(row.offer_amount),
    amountDue,
    remainingAmountDue:
      row.remaining_amount_due === null ? amountDue : BigInt(row.remaining_amount_due),
    user: row.user_address,
    receiver: row.receiver,
    distributorCode: row.distributor_code,
    sourceTxHash: row.submission?.transactionHash ?? null,
    protocolFee: amountOrNull(row.protocol_fee),
    integratorFee: amountOrNull(row.integrator_fee),
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

/** The destination of an endpoint outside of the address book; its amounts stay as they were bridged. */
const UNKNOWN_CHAIN = 0

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
  return rows.map((row) => toTransitOrder(row, () => decimals.get(assetKey(row)) ?? WIRE_DECIMALS))
}

function assetKey(row: { destination_chain_id: number; want_asset: Address }): string {
  return `${row.destination_chain_id}:${row.want_asset}`
}
