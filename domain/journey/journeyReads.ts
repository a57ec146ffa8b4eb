import type { Sql } from 'postgres'
import type { Address } from 'viem'
import { gather } from '../cache/gather.ts'
import { createKeptReads, type ReadStore } from '../cache/keptReads.ts'
import type { SmartDepositReads } from '../smartDeposit/smartDepositReads.ts'
import type { JourneyEnd } from './journey.ts'
import { type OrderPayment, type PaidIn, selectOrderPayments } from './orderPayments.ts'

/** What joins orders with smart deposits. */
export type JourneyReading = {
  journeyEnds: JourneyEnds
  readOrderPayments: ReadOrderPayments
  smartDepositReads: SmartDepositReads
}

/** The payments that orders made to an address in a transaction. All reads of an answer share one statement. */
export type ReadOrderPayments = (paidIn: PaidIn) => Promise<OrderPayment[]>

export function createReadOrderPayments(sql: Sql): ReadOrderPayments {
  const select = gather(async (ids: string[]) => {
    const payments = await selectOrderPayments(
      sql,
      ids.map((id) => JSON.parse(id)),
    )
    return Map.groupBy(payments, placeOf)
  })
  return async (paidIn) => {
    const place = placeOf(paidIn)
    return (await select(place)).get(place) ?? []
  }
}

/** Also read back from the text. */
function placeOf({ chainId, address, transactionHash }: PaidIn): string {
  return JSON.stringify({ chainId, address, transactionHash } satisfies PaidIn)
}

/** A smart deposit address as one organization registered it. */
type EndPlace = { organizationId: string; chainId: number; address: Address }
type ChainOfEnds = Omit<EndPlace, 'address'>

export type JourneyEnds = {
  /** As it was at most ten seconds ago: most orders pay to other accounts, and are asked for again and again. */
  known(place: EndPlace): Promise<JourneyEnd | null>
  /** As it is now, if it was not known. A registration stays as it is. */
  read(place: EndPlace): Promise<JourneyEnd | null>
}

const LIFE_MS = 10_000

export function createJourneyEnds(sql: Sql, store: ReadStore): JourneyEnds {
  const select = gather((ids: string[]) =>
    selectEnds(
      sql,
      ids.map((id) => JSON.parse(id)),
    ),
  )
  const now = async (id: string) => (await select(id)).get(id) ?? null
  // Most organizations have no address on a chain. None of their orders there needs a look-up.
  const isUsed = createKeptReads(
    store,
    {
      name: 'journey_chains',
      keyOf: ({ organizationId, chainId }: ChainOfEnds) => `${organizationId} ${chainId}`,
      lifeMs: LIFE_MS,
    },
    (of) => hasEnd(sql, of),
  )
  const kept = createKeptReads(
    store,
    { name: 'journey_ends', keyOf: (id: string) => id, lifeMs: LIFE_MS },
    now,
  )
  return {
    known: async (place) => ((await isUsed.get(place)) ? kept.get(endOf(place)) : null),
    read: async (place) => kept.known(endOf(place)) ?? now(endOf(place)),
  }
}

/** Also read back from the text. */
function endOf({ organizationId, chainId, address }: EndPlace): string {
  return JSON.stringify({ organizationId, chainId, address } satisfies EndPlace)
}

async function hasEnd(sql: Sql, { organizationId, chainId }: ChainOfEnds): Promise<boolean> {
  const [row] = await sql`
    select from app.smart_deposit_registration
    where organization_id = ${organizationId} and chain_id = ${chainId} limit 1`
  return row !== undefined
}

/** The columns of a `JourneyEnd`, of an address `a`. */
export const END_COLUMNS = `a.chain_id as "chainId", a.address as "smartDepositAddress",
  a.user_destination_address as "userDestinationAddress", a.vault_address as "vaultAddress",
  a.input_token as "depositAsset", a.customer_id as "customerId"`

async function selectEnds(sql: Sql, places: EndPlace[]): Promise<Map<string, JourneyEnd>> {
  const rows = await sql<(JourneyEnd & { organizationId: string })[]>`
    select r.organization_id as "organizationId", ${sql.unsafe(END_COLUMNS)}
    from unnest(
      ${places.map(({ organizationId }) => organizationId)}::uuid[],
      ${places.map(({ chainId }) => chainId)}::int[],
      ${places.map(({ address }) => address)}::text[]
    ) wanted (organization_id, chain_id, address)
    join app.smart_deposit_registration r using (organization_id, chain_id, address)
    join app.smart_deposit_address a using (chain_id, address)`
  return new Map(
    rows.map(({ organizationId, ...end }) => [
      endOf({ organizationId, chainId: end.chainId, address: end.smartDepositAddress }),
      end,
    ]),
  )
}
