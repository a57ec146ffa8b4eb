import { type Address, type Hex, parseEventLogs, type TransactionReceipt } from 'viem'
import { smartDepositFactoryBAbi } from '../../abis/smartDeposit.ts'
import { paymentIdOf } from '../../domain/smartDeposit/paymentId.ts'
import { readTransfers } from '../../domain/smartDeposit/readTransfers.ts'
import { blockOfReceipt, readTransactionReceipt, settledIn } from './chainReads.ts'
import { listDeposits } from './depositRows.ts'
import { endSettled } from './endSettled.ts'
import type { Keeper } from './keeper.ts'
import { isUnlinked } from './linkArrivals.ts'
import { type PlacedTransfer, placeTransfers } from './placeTransfers.ts'
import { recordTransfers } from './recordTransfers.ts'
import { reportDeposit } from './reportDeposit.ts'
import { runApart } from './runApart.ts'
import { transfersTo } from './watchTransfers.ts'

/** A payment is sent on soon after it came, unless its route was closed. */
const BLOCKS_AT_ONCE = 50_000
const MOST_BLOCKS = 1_000_000

/**
 * Records the payments of this chain again that the keeper has sent on, and that a lost database has forgotten: what their orders pay on the
 * vault's chain names the order, the order's transaction the payment. Each order is looked for once per lease.
 */
export async function recoverOrders(keeper: Keeper): Promise<void> {
  const { sql, memory } = keeper
  const unknown = await sql<{ orderId: Hex; address: Address; factory: Address }[]>`
    select distinct d.continues as "orderId", d.address, a.factory from app.smart_deposit d
    join app.smart_deposit_address a on a.chain_id = d.address_chain_id and a.address = d.address
    where ${isUnlinked(sql)}`
  // Others need not be remembered: they are not looked for any more.
  const unknownIds = new Set(unknown.map(({ orderId }) => orderId))
  memory.lookedFor = new Set([...memory.lookedFor].filter((id) => unknownIds.has(id)))
  await runApart(keeper, {
    items: unknown.filter(({ orderId }) => !memory.lookedFor.has(orderId)),
    nameOf: ({ orderId }) => `order ${orderId}`,
    run: (one) => recover(keeper, one),
  })
}

type Unknown = { orderId: Hex; address: Address; factory: Address }

async function recover(keeper: Keeper, { orderId, address, factory }: Unknown) {
  const { chain, service, memory } = keeper
  const { order } = await service.readOrder(orderId)
  // The index does not have it yet.
  if (!order?.user || !order.sourceTxHash) return
  const isOwn = order.user === address && order.sourceChainId === chain.id
  const receipt = isOwn ? await readTransactionReceipt(keeper, order.sourceTxHash) : null
  if (isOwn && !receipt) return
  if (receipt) await recoverFrom(keeper, receipt, { orderId, address, factory })
  // Last, so that what fails is looked for again.
  memory.lookedFor.add(orderId)
}

/** Records the payment that this transaction sent on, if it did. */
async function recoverFrom(
  keeper: Keeper,
  receipt: TransactionReceipt,
  { orderId, address, factory }: Unknown,
): Promise<void> {
  const { chain, lease, logger } = keeper
  const paymentId = convertedIn(receipt.logs, { factory, orderId })
  const settled = paymentId && settledIn(receipt, { factory, paymentId })
  // A known payment gets its order when its transaction is followed.
  if (!settled || (await isKnown(keeper, paymentId))) return
  const payment = await findPayment(keeper, { address, paymentId }, receipt.blockNumber)
  if (!payment) return
  logger.warn({ chainId: chain.id, orderId, paymentId }, 'a forgotten order of the keeper is found')
  const { transactionHash: txHash } = receipt
  const settlement = { ...settled, txHash, block: blockOfReceipt(receipt), why: null }
  await lease.write(async (sql) => {
    await recordTransfers(sql, keeper, [payment])
    const [deposit] = await listDeposits(
      sql,
      sql`d.payment_id = ${paymentId} and d.status in ('pending', 'retrying')`,
    )
    if (!deposit) return
    await reportDeposit(sql, keeper, await endSettled(sql, keeper, { deposit, settlement }))
  })
}

async function isKnown({ sql }: Keeper, paymentId: Hex): Promise<boolean> {
  const rows = await sql`select from app.smart_deposit where payment_id = ${paymentId} limit 1`
  return rows.length > 0
}

/** The id of the payment that became this order. */
function convertedIn(
  logs: Parameters<typeof parseEventLogs>[0]['logs'],
  { factory, orderId }: { factory: Address; orderId: Hex },
): Hex | null {
  const events = parseEventLogs({ abi: smartDepositFactoryBAbi, eventName: 'Converted', logs })
  const found = events.find(
    (event) => event.address.toLowerCase() === factory && event.args.orderId === orderId,
  )
  return found?.args.payment ?? null
}

/** Searches from the block of the order back for the transfer with this payment id. */
async function findPayment(
  keeper: Keeper,
  { address, paymentId }: { address: Address; paymentId: Hex },
  orderBlock: bigint,
): Promise<PlacedTransfer | null> {
  const { chain, service } = keeper
  const of = { chains: service.chains, chainId: chain.id }
  const query = transfersTo(keeper, [address])
  const newest = Number(orderBlock)
  for (let to = newest; to >= 0 && to > newest - MOST_BLOCKS; to -= BLOCKS_AT_ONCE) {
    const fromBlock = BigInt(Math.max(to - BLOCKS_AT_ONCE + 1, 0))
    const transfers = await readTransfers(of, { fromBlock, toBlock: BigInt(to) }, query)
    const { placed } = await placeTransfers(keeper, transfers)
    const found = placed.find(
      (transfer) => paymentIdOf({ chainId: chain.id, ...transfer }) === paymentId,
    )
    if (found) return found
  }
  return null
}
