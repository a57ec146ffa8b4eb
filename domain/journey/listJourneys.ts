import type { Address, Hex } from 'viem'
import { requirePermission } from '../access/requirePermission.ts'
import type { SharedContext } from '../context.ts'
import { invalidFields } from '../error/serviceError.ts'
import type { FilterKeys } from '../filter/filter.ts'
import { filterToSql } from '../filter/filterToSql.ts'
import { admitAnswer } from '../index/indexProgress.ts'
import { type ListParams, type ListQuery, listQuery } from '../page/listQuery.ts'
import { encodePageToken } from '../page/pageToken.ts'
import { refuseZero } from '../token/refuseZero.ts'
import {
  HEADS,
  type HeadsRow,
  isServed,
  type SideRow,
  sidesOf,
} from '../transit/orders/orderSides.ts'
import { splitHeads } from '../transit/orders/readOrders.ts'
import { toOrder } from '../transit/orders/toTransitOrder.ts'
import { transitChains } from '../transit/transitChains.ts'
import type { Journey } from './journey.ts'
import type { JourneyContext } from './journeyContext.ts'
import { readJourneys } from './readJourneys.ts'

export type JourneyListParams = ListParams & { userAddress: Address }
export type JourneyPage = { journeys: Journey[]; nextPageToken: string | null }

/** The keys of the list's filter. */
export const JOURNEY_FILTER_KEYS = {
  chainId: { type: 'integer' },
  vaultAddress: { type: 'address' },
  customerId: { type: 'string' },
} as const satisfies FilterKeys

/** The time and the id of the last order. */
type Cursor = [createdAt: string, orderId: string]
const NEWEST: Cursor = ['9223372036854775807', `0x${'ff'.repeat(32)}`]

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export function journeyQuery(
  context: Pick<SharedContext, 'appSecret' | 'caller'>,
  params: JourneyListParams,
): ListQuery<Cursor> {
  const violations = refuseZero('userAddress', params.userAddress)
  return listQuery(context, {
    list: 'journeys',
    keys: JOURNEY_FILTER_KEYS,
    params,
    bound: [context.caller?.organizationId ?? null, params.userAddress],
    refuse: () => (violations.length > 0 ? invalidFields(violations) : undefined),
  })
}

type PageRow = {
  is_source: null
  facts: { heads: HeadsRow['facts']; ids: Hex[]; last: Cursor | null }
}

/**
 * The journeys that end at one user's smart deposit addresses of the caller's organization, the newest order first. Throws
 * as `journeyQuery` does, and `INDEX_CATCHING_UP`.
 */
export async function listJourneys(
  context: JourneyContext,
  params: JourneyListParams,
): Promise<JourneyPage> {
  const query = journeyQuery(context, params)
  const { organizationId } = requirePermission(context.caller, 'smart-deposits')
  const { filter, pageSize, cursor } = query
  const sql = filter === null ? context.sql : context.adHocSql
  const [createdAt, orderId] = cursor ?? NEWEST
  const columns = {
    chainId: sql`a.chain_id`,
    vaultAddress: sql`a.vault_address`,
    customerId: sql`a.customer_id`,
  }
  // The inner limit of each address keeps an address of many orders from being read whole.
  const [first, ...rest] = await sql<(PageRow | SideRow)[]>`
    with ends as (
      select distinct decode(substr(a.address, 3), 'hex') as receiver
      from app.smart_deposit_address a join app.smart_deposit_registration r using (chain_id, address)
      where a.user_destination_address = ${params.userAddress} and r.organization_id = ${organizationId}
        and ${filter === null ? sql`true` : filterToSql(sql, filter, columns)}
    ), listed as materialized (
      select distinct o.order_id, o.created_at from ends cross join lateral (
        select s.order_id, s.created_at from read.transit_side s
        where s.is_source and s.receiver = ends.receiver and ${isServed(sql)}
          and (s.created_at, s.order_id) < (${createdAt}::bigint, decode(substr(${orderId}::text, 3), 'hex'))
        order by s.created_at desc, s.order_id desc limit ${pageSize + 1}
      ) o order by o.created_at desc, o.order_id desc limit ${pageSize + 1}
    ), page as (select * from listed order by created_at desc, order_id desc limit ${pageSize})
    select null::boolean as is_source, json_build_object('heads', ${sql.unsafe(HEADS)},
      'ids', (
        select coalesce(json_agg('0x' || encode(order_id, 'hex') order by created_at desc, order_id desc), '[]')
        from page
      ),
      'last', case when (select count(*) from listed) > ${pageSize} then (
        select json_build_array(created_at::text, '0x' || encode(order_id, 'hex'))
        from page order by created_at, order_id limit 1
      ) end) as facts
    union all ${sql.unsafe(sidesOf('select order_id from page'))}`
  if (first?.is_source !== null) throw new Error('Invariant(listJourneys): the page comes first')
  const { heads, ids, last } = first.facts
  await admitAnswer(
    context,
    heads,
    transitChains(context.addressBook).map(({ chainId }) => chainId),
  )
  const sides = rest.filter((row): row is SideRow => row.is_source !== null)
  const { orders } = splitHeads([{ is_source: null, facts: heads }, ...sides])
  const listed = await Promise.all(ids.map((id) => toOrder(context, orders.get(id), heads)))
  const journeys = await readJourneys(
    context.sql,
    organizationId,
    listed.flatMap((order) => order ?? []),
  )
  const { binding } = query
  return {
    journeys,
    nextPageToken: last && encodePageToken({ binding, cursor: last }, context.appSecret),
  }
}
