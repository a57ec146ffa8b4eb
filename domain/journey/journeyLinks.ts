import type { Sql } from 'postgres'
import type { Address, Hex } from 'viem'
import { gather } from '../cache/gather.ts'
import { createKeptReads, type ReadStore } from '../cache/keptReads.ts'
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

/** Whether an address is a smart deposit address that the organization registered. */
export type IsRegistered = (place: RegisteredPlace) => Promise<boolean>
type RegisteredPlace = { organizationId: string; chainId: number; address: Address }

const LIFE_MS = 10_000

/** Most orders pay to other accounts, and are asked for again and again. */
export function createIsRegistered(sql: Sql, store: ReadStore): IsRegistered {
  const select = gather((ids: string[]) => selectRegistered(sql, ids))
  const kept = createKeptReads(
    store,
    { name: 'registered_receivers', keyOf: (id: string) => id, lifeMs: LIFE_MS },
    async (id: string) => (await select(id)).has(id),
  )
  return ({ organizationId, chainId, address }) =>
    kept.get(`${organizationId}/${chainId}/${address}`)
}

async function selectRegistered(sql: Sql, ids: string[]): Promise<Set<string>> {
  const parts = ids.map((id) => id.split('/'))
  const part = (index: number) => parts.map((one) => one[index] ?? '')
  const rows = await sql<{ id: string }[]>`
    select organization_id || '/' || chain_id || '/' || address as id
    from unnest(${part(0)}::uuid[], ${part(1)}::int[], ${part(2)}::text[])
      wanted (organization_id, chain_id, address)
    join app.smart_deposit_registration using (organization_id, chain_id, address)`
  return new Set(rows.map(({ id }) => id))
}

type OrderLinkContext = Pick<
  JourneyContext,
  'caller' | 'isRegistered' | 'readOrderPayments' | 'smartDepositReads'
>

/**
 * The smart deposit of the last payment that the order made to an address of the caller's organization. Null without one, and
 * for a caller who may not read smart deposits.
 */
export async function smartDepositOfOrder(
  { caller, isRegistered, readOrderPayments, smartDepositReads }: OrderLinkContext,
  { id, destinationChainId: chainId, receiver: address, executions }: TransitOrder,
): Promise<SmartDeposit | null> {
  if (!caller?.permissions.includes('smart-deposits') || executions.length === 0) return null
  const { organizationId } = caller
  if (!(await isRegistered({ organizationId, chainId, address }))) return null
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
