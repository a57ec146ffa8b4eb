import type { Sql } from 'postgres'
import type { Address } from 'viem'
import { selectSmartDeposits, toSmartDeposit } from '../smartDeposit/selectSmartDeposits.ts'
import type { TransitOrder } from '../transit/orders/transitOrder.ts'
import { type Journey, type JourneyEnd, toJourney } from './journey.ts'
import { selectOrderPayments } from './orderPayments.ts'

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
  return readJourneysTo(sql, { organizationId, ends }, orders)
}

type Ends = { organizationId: string; ends: JourneyEnd[] }

/** The journeys among these orders that pay to one of these addresses of the organization. */
export async function readJourneysTo(
  sql: Sql,
  { organizationId, ends }: Ends,
  orders: TransitOrder[],
): Promise<Journey[]> {
  const byPlace = new Map(ends.map((end) => [placeOf(end.chainId, end.smartDepositAddress), end]))
  const found = orders.flatMap((order) => {
    const end = byPlace.get(placeOf(order.destinationChainId, order.receiver))
    return end && end.depositAsset === order.wantAsset ? [{ order, end }] : []
  })
  const payments = await selectOrderPayments(
    sql,
    found.flatMap(({ order: { executions, receiver: address } }) =>
      executions.map(({ chainId, transactionHash }) => ({ chainId, address, transactionHash })),
    ),
  )
  const places = payments.map(({ depositId }) => ({ organizationId, depositId }))
  const rows = places.length > 0 ? await selectSmartDeposits(sql, places) : []
  const byId = new Map(rows.map((row) => [row.deposit_id, toSmartDeposit(row)]))
  const depositIds = Map.groupBy(payments, ({ orderId }) => orderId)
  return found.map(({ order, end }) =>
    toJourney(
      order,
      end,
      (depositIds.get(order.id) ?? []).flatMap(({ depositId }) => byId.get(depositId) ?? []),
    ),
  )
}

const placeOf = (chainId: number, address: Address) => `${chainId} ${address}`

/** The columns of a `JourneyEnd`, of an address `a`. */
export const END_COLUMNS = `a.chain_id as "chainId", a.address as "smartDepositAddress",
  a.user_destination_address as "userDestinationAddress", a.vault_address as "vaultAddress",
  a.input_token as "depositAsset", a.customer_id as "customerId"`

function selectEnds(
  sql: Sql,
  organizationId: string,
  orders: TransitOrder[],
): Promise<JourneyEnd[]> {
  return sql<JourneyEnd[]>`
    select ${sql.unsafe(END_COLUMNS)}
    from unnest(
      ${orders.map(({ destinationChainId }) => destinationChainId)}::int[],
      ${orders.map(({ receiver }) => receiver)}::text[]
    ) wanted (chain_id, address)
    join app.smart_deposit_registration r using (chain_id, address)
    join app.smart_deposit_address a using (chain_id, address)
    where r.organization_id = ${organizationId}`
}
