import type { Sql } from 'postgres'
import type { Address, Hex } from 'viem'
import { selectSmartDeposits, toSmartDeposit } from '../smartDeposit/selectSmartDeposits.ts'
import { isServed } from '../transit/orders/orderSides.ts'
import type { TransitOrder } from '../transit/orders/transitOrder.ts'
import { type Journey, type JourneyEnd, toJourney } from './journey.ts'

/**
 * The journeys among these orders, as the organization sees them: those whose receiver is one of its smart deposit
 * addresses. A payment belongs to the order whose execution made it.
 */
export async function readJourneys(
  sql: Sql,
  organizationId: string,
  orders: TransitOrder[],
): Promise<Journey[]> {
  if (orders.length === 0) return []
  const ends = await selectEnds(sql, organizationId, orders)
  const found = orders.flatMap((order) => {
    const end = ends.get(placeOf(order.destinationChainId, order.receiver))
    return end && end.depositAsset === order.wantAsset ? [{ order, end }] : []
  })
  const executed = found.map(({ order }) => order).filter(({ executions }) => executions.length > 0)
  const payments = await selectPayments(sql, executed)
  const ids = await paymentsByOrder(sql, executed, payments)
  const deposits = await selectSmartDeposits(
    sql,
    [...ids.values()].flat().map((depositId) => ({ organizationId, depositId })),
  )
  const byId = new Map(deposits.map((row) => [row.deposit_id, toSmartDeposit(row)]))
  return found.map(({ order, end }) => {
    const own = (ids.get(order.id) ?? []).flatMap((id) => byId.get(id) ?? [])
    return toJourney(order, end, own)
  })
}

const placeOf = (chainId: number, address: Address) => `${chainId} ${address}`

async function selectEnds(
  sql: Sql,
  organizationId: string,
  orders: TransitOrder[],
): Promise<Map<string, JourneyEnd>> {
  const rows = await sql<JourneyEnd[]>`
    select a.chain_id as "chainId", a.address as "smartDepositAddress",
      a.user_destination_address as "userDestinationAddress", a.vault_address as "vaultAddress",
      a.input_token as "depositAsset", a.customer_id as "customerId"
    from unnest(
      ${orders.map(({ destinationChainId }) => destinationChainId)}::int[],
      ${orders.map(({ receiver }) => receiver)}::text[]
    ) wanted (chain_id, address)
    join app.smart_deposit_registration r using (chain_id, address)
    join app.smart_deposit_address a using (chain_id, address)
    where r.organization_id = ${organizationId}`
  return new Map(rows.map((end) => [placeOf(end.chainId, end.smartDepositAddress), end]))
}

/** A payment to a smart deposit address, by its newest attempt. */
type Payment = {
  depositId: Hex
  chainId: number
  address: Address
  transactionHash: Hex
  amount: string
}

/** The payments in the transactions that executed these orders, in the order of their logs. */
async function selectPayments(sql: Sql, orders: TransitOrder[]): Promise<Payment[]> {
  const asked = orders.flatMap(({ executions, receiver }) =>
    executions.map(({ chainId, transactionHash }) => ({ chainId, receiver, transactionHash })),
  )
  if (asked.length === 0) return []
  return sql<Payment[]>`
    select "depositId", "chainId", address, "transactionHash", amount from (
      select distinct on (d.payment_id) d.deposit_id as "depositId", d.chain_id as "chainId", d.address,
        d.payment_tx_hash as "transactionHash", d.received_amount::text as amount,
        d.payment_log_position, d.status
      from unnest(
        ${asked.map(({ chainId }) => chainId)}::int[], ${asked.map(({ receiver }) => receiver)}::text[],
        ${asked.map(({ transactionHash }) => transactionHash)}::text[]
      ) wanted (chain_id, address, payment_tx_hash)
      join app.smart_deposit d using (chain_id, address, payment_tx_hash)
      order by d.payment_id, d.attempt desc
    ) newest
    where status <> 'reverted'
    order by "transactionHash", payment_log_position`
}

type Executed = {
  orderId: Hex
  chainId: number
  receiver: Address
  transactionHash: Hex
  logIndex: number
  amount: string
}

/** The ids of the smart deposits of each order. Of several equal payments in a transaction, the first is of the first execution. */
async function paymentsByOrder(
  sql: Sql,
  orders: TransitOrder[],
  payments: Payment[],
): Promise<Map<Hex, Hex[]>> {
  const own = orders.flatMap(({ id: orderId, receiver, executions }) =>
    executions.map(
      ({ chainId, transactionHash, logIndex, amount }): Executed => ({
        orderId,
        chainId,
        receiver,
        transactionHash,
        logIndex,
        amount: String(amount),
      }),
    ),
  )
  const keyOf = (of: Omit<Executed, 'orderId' | 'logIndex' | 'receiver'> & { address: Address }) =>
    [of.chainId, of.address, of.transactionHash, of.amount].join()
  const waiting = Map.groupBy(payments, keyOf)
  const shared = [...waiting.values()].filter((equal) => equal.length > 1)
  const others = await selectExecutions(
    sql,
    shared.map(([first]) => first?.transactionHash ?? '0x'),
  )
  const all = new Map(
    [...own, ...others].map((one) => [
      `${one.chainId} ${one.transactionHash} ${one.logIndex}`,
      one,
    ]),
  )
  const ids = new Map<Hex, Hex[]>()
  for (const execution of [...all.values()].sort((a, b) => a.logIndex - b.logIndex)) {
    const payment = waiting.get(keyOf({ ...execution, address: execution.receiver }))?.shift()
    if (payment)
      ids.set(execution.orderId, [...(ids.get(execution.orderId) ?? []), payment.depositId])
  }
  return ids
}

/** The executions of all orders in these transactions. */
async function selectExecutions(sql: Sql, hashes: Hex[]): Promise<Executed[]> {
  if (hashes.length === 0) return []
  return sql<Executed[]>`
    select s.facts ->> 'orderId' as "orderId", s.chain_id as "chainId", s.facts ->> 'receiver' as receiver,
      e ->> 'transactionHash' as "transactionHash", (e ->> 'logIndex')::int as "logIndex", e ->> 'amount' as amount
    from unnest(${hashes}::text[]) hash
    join read.transit_side s on s.transactions @> array[decode(substr(hash, 3), 'hex')] and not s.is_source
    cross join json_array_elements(s.facts -> 'executions') e
    where ${isServed(sql)} and e ->> 'transactionHash' = hash`
}
