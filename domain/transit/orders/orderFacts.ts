import type { Address, Hex } from 'viem'
import type { OrderPlace } from '../../../db/readViews/transitOrderSelect.ts'
import { finalizedBlock, type IndexProgress } from '../../chain/indexProgress.ts'
import type { TransitOrderStatus } from './transitOrder.ts'
import type { TransitOrderRow } from './transitOrderRow.ts'

/** A row of `orderStatement` as postgres.js returns it. What has not happened is null. */
export type OrderFacts = {
  order_id: Hex
  transaction_hash: Hex
  block_number: bigint
  block_timestamp: bigint
  offer_asset: Address
  want_asset: Address
  offer_amount: string
  user_address: Address
  receiver: Address
  distributor_code: Hex
  protocol_fee: string
  integrator_fee: string
  integrator_fee_receiver: Address
  deadline: string
  bridging_hash: Hex | null
  bridging_block: bigint | null
  bridging_time: bigint | null
  bridging_guid: Hex | null
  offer_amount_normalized18: string | null
  delivery_hash: Hex | null
  delivery_block: bigint | null
  delivery_time: bigint | null
  delivery_guid: Hex | null
  amount_due: string | null
  remaining: string | null
  queued_at: bigint | null
  last_block_timestamp: bigint | null
  status: TransitOrderStatus
  tombstone_hash: Hex | null
  tombstone_block: bigint | null
  tombstone_time: bigint | null
  executions: TransitOrderRow['executions'] | null
  removals: TransitOrderRow['removals'] | null
}

/** No time that a client could read is later. */
const LATEST = BigInt(Number.MAX_SAFE_INTEGER)

/** The row of `read.transit_order` that follows from facts. `progress` has the two chains. */
export function toOrderRow(
  facts: OrderFacts,
  { sourceChainId, destinationChainId }: OrderPlace,
  progress: IndexProgress[],
): TransitOrderRow {
  const { bridging_guid, offer_amount_normalized18 } = facts
  const bridging = momentOf(
    sourceChainId,
    facts.bridging_hash,
    facts.bridging_block,
    facts.bridging_time,
  )
  const delivery = momentOf(
    destinationChainId,
    facts.delivery_hash,
    facts.delivery_block,
    facts.delivery_time,
  )
  const times = [facts.block_timestamp, facts.last_block_timestamp, facts.tombstone_time]
  const deadline = BigInt(facts.deadline)
  return {
    id: facts.order_id,
    source_chain_id: sourceChainId,
    destination_chain_id: destinationChainId,
    offer_asset: facts.offer_asset,
    want_asset: facts.want_asset,
    offer_amount: facts.offer_amount,
    amount_due: facts.amount_due,
    remaining_amount_due: facts.remaining,
    user_address: facts.user_address,
    receiver: facts.receiver,
    distributor_code: facts.distributor_code,
    protocol_fee: facts.protocol_fee,
    integrator_fee: facts.integrator_fee,
    integrator_fee_receiver: facts.integrator_fee_receiver,
    deadline: deadline > LATEST ? LATEST : deadline,
    receive_time: facts.queued_at ?? 0n,
    status: facts.status,
    created_at: facts.block_timestamp,
    updated_at: times.reduce<bigint>((last, time) => (time && time > last ? time : last), 0n),
    source_finalized_block: finalizedBlock(progress, sourceChainId),
    destination_finalized_block: finalizedBlock(progress, destinationChainId),
    submission: momentOf(
      sourceChainId,
      facts.transaction_hash,
      facts.block_number,
      facts.block_timestamp,
    ),
    bridging:
      bridging && bridging_guid !== null && offer_amount_normalized18 !== null
        ? { ...bridging, guid: bridging_guid, offerAmountNormalized18: offer_amount_normalized18 }
        : null,
    delivery: delivery && { ...delivery, guid: facts.delivery_guid },
    tombstone: momentOf(
      destinationChainId,
      facts.tombstone_hash,
      facts.tombstone_block,
      facts.tombstone_time,
    ),
    executions: facts.executions ?? [],
    removals: facts.removals ?? [],
  }
}

/** Null where it has not happened: then all three are null. */
function momentOf(
  chainId: number,
  transactionHash: Hex | null,
  block: bigint | null,
  time: bigint | null,
) {
  if (transactionHash === null || block === null || time === null) return null
  return { chainId, transactionHash, blockNumber: Number(block), timestamp: Number(time) }
}
