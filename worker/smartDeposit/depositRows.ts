import type { ISql, PendingQuery, Row } from 'postgres'
import type { Hex } from 'viem'
import type { BlockId, KeeperDeposit } from '../../domain/smartDeposit/keeperDeposit.ts'

type DepositRow = Omit<
  KeeperDeposit,
  | 'receivedAmount'
  | 'arrivedAmount'
  | 'mintedAmount'
  | 'orderAmount'
  | 'homeAmount'
  | 'paymentBlock'
  | 'settleBlock'
> & {
  receivedAmount: string
  arrivedAmount: string | null
  mintedAmount: string | null
  orderAmount: string | null
  homeAmount: string | null
  paymentBlockNumber: bigint
  paymentBlockHash: Hex
  settleBlockNumber: bigint | null
  settleBlockHash: Hex | null
}

/** Deposits with the data of their addresses, the oldest payment first; `where` is over `d`. */
export async function listDeposits(
  sql: ISql,
  where: PendingQuery<Row[]>,
  most: number | null = null,
): Promise<KeeperDeposit[]> {
  const rows = await sql<DepositRow[]>`
    select d.deposit_id as "depositId", d.payment_id as "paymentId", d.attempt,
      d.chain_id as "chainId", d.address_chain_id as "addressChainId", d.address, d.token, a.factory, a.generation,
      a.user_destination_address as "userDestinationAddress", a.vault_address as "vaultAddress",
      a.input_token as "inputToken", a.customer_id as "customerId",
      a.organization_id as "organizationId",
      d.depositor_address as "depositorAddress", d.received_amount as "receivedAmount",
      d.arrived_amount as "arrivedAmount",
      d.payment_tx_hash as "paymentTxHash", d.payment_log_position as "paymentLogPosition",
      d.payment_block_number as "paymentBlockNumber", d.payment_block_hash as "paymentBlockHash",
      d.status, d.remediation, d.error, d.reason, d.order_id as "orderId",
      d.order_amount as "orderAmount", d.home_amount as "homeAmount",
      d.home_tx_hash as "homeTxHash", d.home_block_hash as "homeBlockHash", d.continues,
      d.minted_amount as "mintedAmount",
      d.settle_tx_hash as "settleTxHash", d.settle_block_number as "settleBlockNumber",
      d.settle_block_hash as "settleBlockHash", d.payment_reverts as "paymentReverts",
      d.settle_reverts as "settleReverts", d.tries, d.failing_since as "failingSince",
      d.is_small as "isSmall", d.is_ordered as "isOrdered",
      d.refund_ordered_at is not null as "isRefundOrdered", d.collected_as as "collectedAs",
      d.payer_refusal as "payerRefusal", d.created_at as "createdAt"
    from app.smart_deposit d
    join app.smart_deposit_address a on a.chain_id = d.address_chain_id and a.address = d.address
    where ${where}
    order by d.payment_block_number, d.created_at, d.payment_log_position, d.attempt
    limit ${most}`
  return rows.map(toDeposit)
}

function toDeposit(row: DepositRow): KeeperDeposit {
  const { paymentBlockNumber, paymentBlockHash, settleBlockNumber, settleBlockHash, ...rest } = row
  return {
    ...rest,
    receivedAmount: BigInt(row.receivedAmount),
    arrivedAmount: amountOf(row.arrivedAmount),
    mintedAmount: amountOf(row.mintedAmount),
    orderAmount: amountOf(row.orderAmount),
    homeAmount: amountOf(row.homeAmount),
    paymentBlock: { number: Number(paymentBlockNumber), hash: paymentBlockHash },
    settleBlock: blockOf(settleBlockNumber, settleBlockHash),
  }
}

function amountOf(text: string | null): bigint | null {
  return text === null ? null : BigInt(text)
}

/** A block from two columns that are null together. */
export function blockOf(number: bigint | null, hash: Hex | null): BlockId | null {
  return number === null || hash === null ? null : { number: Number(number), hash }
}
