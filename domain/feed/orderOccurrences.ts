import type { TransactionSql } from 'postgres'
import { type Address, type Hex, zeroHash } from 'viem'
import { checksummed } from '../token/checksummed.ts'
import type { EventFacts } from '../webhook/eventFilter.ts'
import type { EventType } from '../webhook/eventTypes.ts'
import {
  factsAbove,
  type Occurrence,
  type Place,
  parties,
  placeColumns,
  placeFields,
  placeOf,
} from './occurrence.ts'

type Kind = 'submitted' | 'received' | 'executed' | 'removed'

type Row = Place & {
  kind: Kind
  blockTimestamp: bigint
  orderId: Hex
  /** Base units of the want asset: owed, or paid. */
  amount: string | null
  remaining: string | null
}

type Submission = Place & {
  orderId: Hex
  sourceChainId: number
  destinationChainId: number | null
  userAddress: Address
  receiver: Address
  offerAsset: Address
  wantAsset: Address
  offerAmount: string
  distributorCode: Hex
  sourceTxHash: Hex
  messageGuid: Hex | null
  protocolFee: string
  integratorFee: string
  integratorFeeReceiver: Address
  /** Unix seconds. */
  deadline: bigint
}

/** A delivery, execution or removal waits so long for its submission, which may be on an unknown chain. */
const WAIT_SECONDS = 86_400

/**
 * The events of the stations of these chains above their cursors, with their orders. Events on the
 * destination whose submission is not indexed yet are delayed: `waiting` lists them for a day, then they are
 * dropped.
 */
export async function orderOccurrences(
  sql: TransactionSql,
  chainIds: number[],
): Promise<{ occurrences: Occurrence[]; waiting: Place[] }> {
  const rows = await selectRows(sql, chainIds)
  const submissions = await selectSubmissions(sql, [...new Set(rows.map(({ orderId }) => orderId))])
  const occurrences: Occurrence[] = []
  const waiting: Place[] = []
  for (const row of rows) {
    const submission = submissions.get(row.orderId)
    if (submission) occurrences.push(toOccurrence(row, submission))
    else if (Number(row.blockTimestamp) > Date.now() / 1_000 - WAIT_SECONDS) waiting.push(row)
  }
  return { occurrences, waiting }
}

const TYPES: Record<Kind, EventType> = {
  submitted: 'transit.order.submitted',
  received: 'transit.order.received',
  executed: 'transit.order.executed',
  removed: 'transit.order.removed',
}

function toOccurrence(row: Row, submission: Submission): Occurrence {
  const { kind, orderId, amount, remaining } = row
  const { sourceChainId, blockNumber: sourceBlock } = submission
  const isDone = kind === 'executed' && remaining === '0'
  return {
    ...placeOf(row),
    resource: `transit_order:${orderId}`,
    types: [TYPES[kind], ...(isDone ? (['transit.order.processed'] as const) : [])],
    facts: factsOf(submission),
    fields: {
      ...orderFields(submission),
      ...placeFields(row),
      ...(kind === 'executed' ? { amount, remaining_amount_due: remaining } : {}),
      ...(kind === 'received' || kind === 'removed' ? { amount_due: amount } : {}),
    },
    after: kind === 'submitted' ? null : { chainId: sourceChainId, blockNumber: sourceBlock },
  }
}

/** The values of an order to which endpoints' filters apply. */
export function factsOf({ distributorCode, userAddress, receiver }: Submission): EventFacts {
  return {
    distributorCode: distributorCode === zeroHash ? null : distributorCode,
    userAddresses: parties(userAddress, receiver),
    vaultAddress: null,
  }
}

/** The fields of every body of an order's event, besides the place. */
export function orderFields(submission: Submission) {
  const { orderId, sourceChainId, destinationChainId, offerAmount, distributorCode } = submission
  return {
    order_id: orderId,
    source_chain_id: String(sourceChainId),
    destination_chain_id: destinationChainId === null ? null : String(destinationChainId),
    user_address: checksummed(submission.userAddress),
    receiver_address: checksummed(submission.receiver),
    offer_asset_address: checksummed(submission.offerAsset),
    want_asset_address: checksummed(submission.wantAsset),
    offer_amount: offerAmount,
    distributor_code: distributorCode,
    source_tx_hash: submission.sourceTxHash,
    message_guid: submission.messageGuid,
    protocol_fee: submission.protocolFee,
    integrator_fee: submission.integratorFee,
    integrator_fee_receiver_address: checksummed(submission.integratorFeeReceiver),
    deadline: Number(submission.deadline),
  }
}

/** Oldest first. A tombstone is a removal only if the order has no delivery there. */
function selectRows(sql: TransactionSql, chainIds: number[]): Promise<Row[]> {
  const common = sql`${placeColumns(sql, 'f')}, f.block_timestamp as "blockTimestamp",
    f.order_id as "orderId"`
  const above = (table: string) => factsAbove(sql, table, chainIds)
  return sql<Row[]>`
    select 'submitted' as kind, ${common}, null::numeric as amount, null::numeric as remaining
    ${above('transit_submission')}
    union all
    select 'received', ${common}, f.amount_due, null ${above('transit_delivery')}
    union all
    select 'executed', ${common}, f.amount, f.remaining ${above('transit_execution')}
    union all
    select 'removed', ${common}, f.amount_due, null ${above('transit_removal')}
    union all
    select 'removed', ${common}, null, null ${above('transit_tombstone')}
      and not exists (
        select 1 from read.transit_delivery g
        where g.chain_id = f.chain_id and g.order_id = f.order_id
      )
    order by "blockNumber", "logIndex"`
}

/** The submissions of orders, by id. */
export async function selectSubmissions(
  sql: TransactionSql,
  orderIds: Hex[],
): Promise<Map<Hex, Submission>> {
  const rows = await sql<Submission[]>`
    select ${placeColumns(sql, 's')}, s.order_id as "orderId", s.chain_id as "sourceChainId",
      d.chain_id as "destinationChainId", s.user_address as "userAddress", s.receiver,
      s.offer_asset as "offerAsset", s.want_asset as "wantAsset", s.offer_amount as "offerAmount",
      s.distributor_code as "distributorCode", s.transaction_hash as "sourceTxHash",
      b.guid as "messageGuid",
      s.protocol_fee as "protocolFee", s.integrator_fee as "integratorFee",
      s.integrator_fee_receiver as "integratorFeeReceiver",
      -- No time that a client could read is later.
      least(s.deadline, 9007199254740991)::bigint as deadline
    from read.chain c
    cross join unnest(${orderIds}::text[]) asked (order_id)
    cross join lateral (
      select * from read.transit_submission s
      where s.chain_id = c.chain_id and s.order_id = asked.order_id offset 0
    ) s
    left join lateral (
      select b.guid from read.transit_bridging b
      where b.chain_id = s.chain_id and b.order_id = s.order_id offset 0
    ) b on true
    left join read.chain d on d.eid = s.destination_eid`
  return new Map(rows.map((row) => [row.orderId, row]))
}
