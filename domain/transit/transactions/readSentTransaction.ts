import {
  type Address,
  type Hex,
  type PublicClient,
  parseEventLogs,
  type Transaction,
  type TransactionReceipt,
} from 'viem'
import { transitStationAbi } from '../../../abis/transitStation.ts'
import { nullIf } from '../../chain/revert.ts'
import type { SentTransaction } from './sentTransaction.ts'
import { transactionRevert } from './transactionRevert.ts'

type Asked = { txHash: Hex; station: Address | undefined }

/** The state of a transaction at a node. Logs of other contracts than the station are not read. */
export async function readSentTransaction(
  client: PublicClient,
  { txHash: hash, station }: Asked,
): Promise<Omit<SentTransaction, 'chainId' | 'txHash' | 'confirmations'>> {
  const receipt = await receiptOf(client, hash)
  const none = { blockNumber: null, orderIds: [], revert: null }
  if (!receipt) {
    const transaction = await transactionOf(client, hash)
    return { ...none, status: transaction ? 'PENDING' : 'UNKNOWN' }
  }
  const { blockNumber, status } = receipt
  if (status === 'success')
    return { ...none, status: 'INCLUDED', blockNumber, orderIds: orderIdsOf(receipt, station) }
  const transaction = await transactionOf(client, hash)
  const revert = transaction && (await transactionRevert(client, { transaction, receipt }))
  const unknown = { reason: 'unknown', name: null, arguments: [] }
  return { ...none, status: 'REVERTED', blockNumber, revert: revert ?? unknown }
}

function orderIdsOf({ logs }: TransactionReceipt, station: Address | undefined): Hex[] {
  const own = logs.filter(({ address }) => address.toLowerCase() === station?.toLowerCase())
  return parseEventLogs({ abi: transitStationAbi, eventName: 'OrderSubmitted', logs: own }).map(
    ({ args }) => args.uuid,
  )
}

function receiptOf(client: PublicClient, hash: Hex): Promise<TransactionReceipt | null> {
  return client
    .getTransactionReceipt({ hash })
    .catch((error) => nullIf(error, 'TransactionReceiptNotFoundError'))
}

function transactionOf(client: PublicClient, hash: Hex): Promise<Transaction | null> {
  return client.getTransaction({ hash }).catch((error) => nullIf(error, 'TransactionNotFoundError'))
}
