import type { Address } from 'viem'
import type { Connection } from '../connection/connection.ts'
import { prepareCancellation } from '../generated/actions.ts'
import { checkTransaction } from './checkTransaction.ts'
import { sendPrepared } from './sendPrepared.ts'
import type { Sent } from './untilMined.ts'
import { addressOf, requireChain, type Wallets } from './wallets.ts'

export type CancelWithdrawalParameters = Wallets & {
  chainId: number
  vaultAddress: Address
} & (
    | { /** `id` of the request. */ requestId: string; orderIndex?: undefined }
    /** In the vault's present queue. A request in a former one is cancelled by its `requestId`. */
    | { orderIndex: bigint; requestId?: undefined }
  )

/**
 * Marks a pending withdrawal request for a refund, and resolves once that is mined. Only the holder of its receipt
 * may send it. The shares return when the queue reaches the request.
 *
 * @example
 * await cancelWithdrawal(connection, { ...wallets, ...vault, requestId })
 */
export async function cancelWithdrawal(
  connection: Connection,
  parameters: CancelWithdrawalParameters,
): Promise<Sent> {
  const { chainId, vaultAddress, signal } = parameters
  const request =
    parameters.requestId === undefined
      ? { orderIndex: parameters.orderIndex }
      : { requestId: parameters.requestId }
  await requireChain(parameters, chainId)
  const { transaction } = await prepareCancellation(
    connection,
    { chainId, vaultAddress, ...request, simulate: true },
    { signal },
  )
  const checked = await checkTransaction(connection, parameters, {
    intent: { kind: 'cancel', account: addressOf(parameters), chainId, vaultAddress, ...request },
    chainId,
    transaction,
  })
  return sendPrepared(parameters, checked)
}
