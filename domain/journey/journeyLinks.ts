import type { Hex } from 'viem'
import type { SmartDeposit } from '../smartDeposit/smartDeposit.ts'
import type { TransitOrder } from '../transit/orders/transitOrder.ts'
import type { JourneyContext } from './journeyContext.ts'

type OrderLinkContext = Pick<
  JourneyContext,
  'caller' | 'journeyEnds' | 'readOrderPayments' | 'smartDepositReads'
>

/**
 * The smart deposit of the last payment that the order made to an address of the caller's organization. Null without one, and
 * for a caller who may not read smart deposits.
 */
export async function smartDepositOfOrder(
  { caller, journeyEnds, readOrderPayments, smartDepositReads }: OrderLinkContext,
  { id, destinationChainId: chainId, receiver: address, executions }: TransitOrder,
): Promise<SmartDeposit | null> {
  if (!caller?.permissions.includes('smart-deposits') || executions.length === 0) return null
  const { organizationId } = caller
  if (!(await journeyEnds.known({ organizationId, chainId, address }))) return null
  const transactions = executions.map(({ transactionHash }) => ({
    chainId,
    address,
    transactionHash,
  }))
  const payments = (await Promise.all(transactions.map(readOrderPayments))).flat()
  const last = payments.findLast(({ orderId }) => orderId === id)
  if (!last) return null
  return (await smartDepositReads.read(`${organizationId}/${last.depositId}`)) ?? null
}

/** The order that made the payment of a smart deposit, or sent it on. Null where none did, and until the index has it. */
export async function orderOfSmartDeposit(
  { readOrder, readOrderPayments }: Pick<JourneyContext, 'readOrder' | 'readOrderPayments'>,
  deposit: SmartDeposit,
): Promise<TransitOrder | null> {
  const orderId = deposit.orderId ?? (await payingOrder(readOrderPayments, deposit))
  if (!orderId) return null
  const { order } = await readOrder(orderId)
  return order ?? null
}

async function payingOrder(
  readOrderPayments: JourneyContext['readOrderPayments'],
  { origin, chainId, smartDepositAddress: address, paymentTxHash, paymentId }: SmartDeposit,
): Promise<Hex | undefined> {
  const payments = await readOrderPayments({
    chainId: origin?.chainId ?? chainId,
    address,
    transactionHash: paymentTxHash,
  })
  return payments.find((one) => one.paymentId === paymentId)?.orderId
}
