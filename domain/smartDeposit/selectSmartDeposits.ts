import type { Fragment, ISql } from 'postgres'
import type { Address, Hex } from 'viem'
import type { EventType } from '../webhook/eventTypes.ts'
import type { Remediation, SmartDeposit, SmartDepositStatus } from './smartDeposit.ts'

/** A deposit as one organization sees it. */
export type SmartDepositRow = {
  organization_id: string
  organization_sequence: bigint
  deposit_id: Hex
  payment_id: Hex
  retry_of: Hex | null
  status: SmartDepositStatus
  remediation: Remediation | null
  error: string | null
  reason: string | null
  refund_ordered_at: Date | null
  chain_id: number
  address: Address
  user_destination_address: Address
  vault_address: Address
  input_token: Address
  customer_id: string | null
  received_amount: string
  origin_chain_id: number | null
  origin_asset: Address
  origin_amount: string
  order_id: Hex | null
  convert_tx_hash: Hex | null
  minted_amount: string | null
  payment_tx_hash: Hex
  payment_block_hash: Hex
  settle_tx_hash: Hex | null
  settle_block_hash: Hex | null
  created_at: Date
  updated_at: Date
  timeline: {
    id: string
    type: EventType
    timestamp: string
    sequence: number
    receipt_tx_hash: Hex
    convert_tx_hash: Hex | null
    forward_tx_hash: Hex | null
    recovery_tx_hash: Hex | null
  }[]
}

/** The prefix of the resource of a deposit's events, before its id. */
export const RESOURCE = 'smart_deposit:'

/**
 * Deposits with the inputs of their addresses, as `d`: filters compare its columns. A payment that the keeper sent on by an order
 * ends on the chain of the vault.
 */
export function describedDeposits(sql: ISql): Fragment {
  return sql`(
    select d.*, (d.chain_id, d.token) <> (a.chain_id, a.input_token) as is_foreign,
      case when d.order_id is null then d.settle_tx_hash else d.home_tx_hash end as end_tx_hash,
      case when d.order_id is null then d.settle_block_hash else d.home_block_hash end as end_block_hash,
      upper(case d.status when 'retrying' then 'pending' else d.status end) as wire_status,
      a.user_destination_address, a.vault_address, a.input_token, a.customer_id
    from app.smart_deposit d
    join app.smart_deposit_address a on a.chain_id = d.address_chain_id and a.address = d.address
  ) d`
}

/** The columns of `SmartDepositRow` but for the first two, of a deposit `d` and its report `r`. */
export function depositColumns(sql: ISql): Fragment {
  return sql`
    d.deposit_id, d.payment_id, d.wire_status as status, d.remediation, d.error,
    case d.remediation when 'recovered' then d.payer_refusal when 'retained' then d.reason end as reason,
    d.address_chain_id as chain_id, d.address,
    d.user_destination_address, d.vault_address, d.input_token, d.customer_id,
    case when d.is_foreign then coalesce(d.home_amount, 0) else d.received_amount end as received_amount,
    case when d.is_foreign then d.chain_id end as origin_chain_id, d.token as origin_asset,
    d.received_amount as origin_amount, d.order_id,
    case when d.order_id is not null then d.settle_tx_hash end as convert_tx_hash,
    d.minted_amount, d.payment_tx_hash, d.payment_block_hash, d.end_tx_hash as settle_tx_hash,
    d.end_block_hash as settle_block_hash, d.created_at, d.updated_at,
    (
      select b.deposit_id from app.smart_deposit b
      where b.payment_id = d.payment_id and b.attempt = d.attempt - 1
    ) as retry_of,
    (
      select max(b.refund_ordered_at) from app.smart_deposit b where b.payment_id = d.payment_id
    ) as refund_ordered_at,
    r.timeline`
}

export type SmartDepositPlace = { organizationId: string; depositId: string }

/** The given deposits, each as its organization sees it; deposits without events for it are left out. */
export function selectSmartDeposits(
  sql: ISql,
  places: SmartDepositPlace[],
): Promise<SmartDepositRow[]> {
  return sql<SmartDepositRow[]>`
    select r.organization_id, r.organization_sequence, ${depositColumns(sql)}
    from unnest(
      ${places.map(({ organizationId }) => organizationId)}::uuid[],
      ${places.map(({ depositId }) => depositId)}::text[]
    ) wanted (organization_id, deposit_id)
    join app.smart_deposit_report r using (organization_id, deposit_id)
    join ${describedDeposits(sql)} on d.deposit_id = wanted.deposit_id`
}

export function toSmartDeposit(row: SmartDepositRow): SmartDeposit {
  const isRecovered = row.remediation === 'recovered'
  return {
    depositId: row.deposit_id,
    paymentId: row.payment_id,
    retryOf: row.retry_of,
    status: row.status,
    remediation: row.remediation,
    error: row.error,
    reason: row.reason,
    refundOrderedAt: row.refund_ordered_at,
    chainId: row.chain_id,
    smartDepositAddress: row.address,
    userDestinationAddress: row.user_destination_address,
    vaultAddress: row.vault_address,
    inputToken: row.input_token,
    customerId: row.customer_id,
    receivedAmount: BigInt(row.received_amount),
    origin:
      row.origin_chain_id === null
        ? null
        : {
            chainId: row.origin_chain_id,
            asset: row.origin_asset,
            amount: BigInt(row.origin_amount),
          },
    orderId: row.order_id,
    convertTxHash: row.convert_tx_hash,
    mintedAmount: row.minted_amount === null ? null : BigInt(row.minted_amount),
    paymentTxHash: row.payment_tx_hash,
    paymentTxBlockHash: row.payment_block_hash,
    forwardTxHash: isRecovered ? null : row.settle_tx_hash,
    forwardTxBlockHash: isRecovered ? null : row.settle_block_hash,
    recoveryTxHash: isRecovered ? row.settle_tx_hash : null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    timeline: row.timeline.map((event) => ({
      id: event.id,
      type: event.type,
      sequence: event.sequence,
      timestamp: new Date(event.timestamp),
      paymentTxHash: event.receipt_tx_hash,
      convertTxHash: event.convert_tx_hash ?? null,
      forwardTxHash: event.forward_tx_hash,
      recoveryTxHash: event.recovery_tx_hash,
    })),
  }
}
