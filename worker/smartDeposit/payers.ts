import { type Address, type Hex, zeroAddress } from 'viem'
import { ServiceError } from '../../domain/error/serviceError.ts'
import type { KeeperDeposit } from '../../domain/smartDeposit/keeperDeposit.ts'
import type { PaidBy } from '../../domain/smartDeposit/payerScreening.ts'
import { isTransferLog, readTransactionReceipt } from './chainReads.ts'
import { orderBehind } from './executions.ts'
import type { Keeper } from './keeper.ts'

/** A transfer to a smart deposit address by its place on the chain. */
export type PaidLog = { address: Address; token: Address; amount: bigint } & Pick<
  KeeperDeposit,
  'paymentTxHash' | 'paymentLogPosition'
>

/** The log of a deposit's payment. */
export function paidLogOf(deposit: KeeperDeposit): PaidLog {
  const { address, token, receivedAmount: amount } = deposit
  const { paymentTxHash, paymentLogPosition } = deposit
  return { address, token, amount, paymentTxHash, paymentLogPosition }
}

/**
 * Who made a payment, by the chain as it is now: after a reorganization another account may have made it. It is the account
 * from which the token came. Of new tokens, which come from nobody, it is the sender of the transaction. Of a Transit order it
 * is the account that paid the order on its source chain. Throws `RPC_UNAVAILABLE` while that cannot be known.
 */
export async function readPayer(keeper: Keeper, paid: PaidLog): Promise<PaidBy> {
  const { chain } = keeper
  const { address: to, token, amount, paymentTxHash: transactionHash, paymentLogPosition } = paid
  const receipt = await readTransactionReceipt(keeper, transactionHash)
  const log = receipt?.logs[paymentLogPosition]
  if (!receipt || !log || !isTransferLog(log, { token, to, amount }))
    throw unknown(keeper, 'no node shows the transaction of its payment')
  const payment = { token, amount, smartDepositAddress: to }
  const executed = orderBehind(receipt.logs, keeper, {
    to,
    amount,
    logPosition: paymentLogPosition,
  })
  const paidOrder = executed && (await readOrderPayer(keeper, executed, paid))
  if (paidOrder) return { ...payment, ...paidOrder }
  const transactionSender = receipt.from.toLowerCase() as Address
  const from = `0x${log.topics[1]?.slice(26)}`.toLowerCase() as Address
  return {
    ...payment,
    chainId: chain.id,
    payer: from === zeroAddress ? transactionSender : from,
    transactionSender,
    transactionHash,
  }
}

/** The payer of an order; null if the order pays somebody else, or another token. */
async function readOrderPayer(keeper: Keeper, orderId: Hex, { address, token }: PaidLog) {
  const { order } = await keeper.service.readOrder(orderId)
  if (order && (order.receiver !== address || order.wantAsset !== token)) return null
  if (!order?.user || !order.sourceTxHash)
    throw unknown(keeper, `the index does not have the source of order ${orderId} yet`)
  return {
    chainId: order.sourceChainId,
    payer: order.user,
    transactionSender: order.transactionSender,
    transactionHash: order.sourceTxHash,
  }
}

function unknown({ chain }: Keeper, why: string) {
  return new ServiceError('RPC_UNAVAILABLE', `Its payer is not known: ${why}`, {
    metadata: { chainId: String(chain.id) },
  })
}
