import type { Sql } from 'postgres'
import type { Address, Hex } from 'viem'
import { gather } from '../cache/gather.ts'
import { createKeptReads, type ReadStore } from '../cache/keptReads.ts'
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
