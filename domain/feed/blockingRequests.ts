import type { TransactionSql } from 'postgres'
import type { Address } from 'viem'
import { type Occurrence, placeColumns } from './occurrence.ts'
import { eventOfRequest, type RequestRow, requestColumns } from './withdrawalOccurrences.ts'

/** A request at which its queue reverts. */
type Block = { chainId: number; queue: Address; orderIndex: bigint; reason: string }
type BlockingRequest = Pick<Occurrence, 'resource' | 'facts' | 'fields'>

/** The requests that hold up their queues, as their events show them. The place is that of the submission. */
export async function blockingRequests(
  sql: TransactionSql,
  blocks: readonly Block[],
): Promise<BlockingRequest[]> {
  const rows = await sql<RequestRow[]>`
    select ${placeColumns(sql, 'o')}, ${requestColumns(sql)}
    from unnest(
      ${blocks.map(({ chainId }) => chainId)}::integer[],
      ${blocks.map(({ queue }) => queue)}::text[],
      ${blocks.map(({ orderIndex }) => String(orderIndex))}::numeric[]
    ) asked (chain_id, queue, order_index)
    join read.withdrawal_request o using (chain_id, queue, order_index)`
  const reasons = new Map(blocks.map((block) => [keyOf(block), block.reason]))
  return rows.map((row) => {
    const { fields, ...event } = eventOfRequest(row)
    return { ...event, fields: { ...fields, reason: reasons.get(keyOf(row)) } }
  })
}

function keyOf({
  chainId,
  queue,
  orderIndex,
}: Record<'chainId' | 'queue' | 'orderIndex', unknown>) {
  return `${chainId}:${queue}:${orderIndex}`
}
