import type { Sql } from 'postgres'
import type { Address, Hex } from 'viem'
import { gather } from '../cache/gather.ts'
import type { SmartDeposit } from '../smartDeposit/smartDeposit.ts'
import type { TransitOrder } from '../transit/orders/transitOrder.ts'
import type { JourneyContext } from './journeyContext.ts'
import { type OrderPayment, type PaidIn, selectOrderPayments } from './orderPayments.ts'

/** The payments that orders made to an address in a transaction. All links of an answer share one statement. */
export type ReadOrderPayments = (paidIn: PaidIn) => Promise<OrderPayment[]>

type PlaceId = `${number}/${Address}/${Hex}`

export function createReadOrderPayments(sql: Sql): ReadOrderPayments {
  const select = gather((ids: PlaceId[]) => selectOrderPayments(sql, ids.map(placeOf)))
  return ({ chainId, address, transactionHash }) =>
    select(`${chainId}/${address}/${transactionHash}`)
}

function placeOf(id: PlaceId): PaidIn {
  const [chainId, address, transactionHash] = id.split('/')
  // As the type of the id says.
  return {
    chainId: Number(chainId),
    address: address as Address,
    transactionHash: transactionHash as Hex,
  }
}

type OrderLinkContext = Pick<JourneyContext, 'caller' | 'readOrderPayments' | 'smartDepositReads'>

/**
 * The smart deposit of the last payment that the order made to an address of the caller's organization. Null without one, and
 * for a caller who may not read smart deposits.
 */
export async function smartDepositOfOrder(
  { caller, readOrderPayments, smartDepositReads }: OrderLinkContext,
  { id, receiver: address, executions }: TransitOrder,
): Promise<SmartDeposit | null> {
  if (!caller?.permissions.includes('smart-deposits')) return null
  const transactions = executions.map(({ chainId, transactionHash }) => ({
    chainId,
    address,
    transactionHash,
  }))
  const payments = (await Promise.all(transactions.map(readOrderPayments))).flat()
  const last = payments.findLast(({ orderId }) => orderId === id)
  if (!last) return null
  // An organization that did not register the address has no event of the deposit.
  return (await smartDepositReads.read(`${caller.organizationId}/${last.depositId}`)) ?? null
}

/** The order that made the payment of a smart deposit. Null where none did, and until the index has its execution. */
export async function orderOfSmartDeposit(
  { readOrder, readOrderPayments }: Pick<JourneyContext, 'readOrder' | 'readOrderPayments'>,
  { chainId, smartDepositAddress: address, paymentTxHash, paymentId }: SmartDeposit,
): Promise<TransitOrder | null> {
  const payments = await readOrderPayments({ chainId, address, transactionHash: paymentTxHash })
  const payment = payments.find((one) => one.paymentId === paymentId)
  if (!payment) return null
  const { order } = await readOrder(payment.orderId)
  return order ?? null
}
