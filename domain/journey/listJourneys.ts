import { createHash } from 'node:crypto'
import type { Sql } from 'postgres'
import type { Address, Hex } from 'viem'
import { requirePermission } from '../access/requirePermission.ts'
import type { SharedContext } from '../context.ts'
import { invalidFields } from '../error/serviceError.ts'
import type { Filter, FilterKeys } from '../filter/filter.ts'
import { filterToSql } from '../filter/filterToSql.ts'
import { admitAnswer } from '../index/indexProgress.ts'
import type { AtHeads } from '../index/indexReads.ts'
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
import { isTimelineSameAt } from '../transit/orders/orderTimeline.ts'
import { splitHeads } from '../transit/orders/readOrders.ts'
import { toOrder } from '../transit/orders/toTransitOrder.ts'
import type { TransitOrder } from '../transit/orders/transitOrder.ts'
import { transitChains } from '../transit/transitChains.ts'
import type { Journey, JourneyEnd } from './journey.ts'
import type { JourneyContext } from './journeyContext.ts'
import { END_COLUMNS } from './journeyReads.ts'
import { readJourneysTo } from './readJourneys.ts'

export type JourneyListParams = ListParams & { userAddress: Address }
export type JourneyPage = {
  journeys: Journey[]
  nextPageToken: string | null
  /** The orders from which the page was made: the same array for as long as no order of it changes. */
  orders: TransitOrder[]
}

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

/**
 * The journeys that end at one user's smart deposit addresses of the caller's organization, the newest order first. Throws
 * as `journeyQuery` does, and `INDEX_CATCHING_UP`.
 */
export async function listJourneys(
  context: JourneyContext,
  params: JourneyListParams,
): Promise<JourneyPage> {
  const { filter, pageSize, cursor, binding } = journeyQuery(context, params)
  const { organizationId } = requirePermission(context.caller, 'smart-deposits')
  const ends = await selectUserEnds(context, {
    organizationId,
    filter,
    userAddress: params.userAddress,
  })
  const receivers = [...new Set(ends.map((end) => end.smartDepositAddress))].sort()
  const chainIds = transitChains(context.addressBook).map(({ chainId }) => chainId)
  const asked = { receivers, pageSize, cursor: cursor ?? NEWEST }
  const { progress, value } = await context.indexReads.read(`journeys ${digestOf(asked)}`, {
    select: () => readPage(context, asked, chainIds),
    isSameAt: ({ orders }, at) => orders.every(({ timeline }) => isTimelineSameAt(timeline, at)),
    kilobytes: ({ orders }) => ORDER_KILOBYTES * orders.length + 1,
  })
  await admitAnswer(context, progress, chainIds)
  const { orders, last } = value
  const journeys = await readJourneysTo(context, { organizationId, ends }, orders)
  const nextPageToken = last && encodePageToken({ binding, cursor: last }, context.appSecret)
  return { journeys, nextPageToken, orders }
}

/** An order of a page takes some 4.3 KB, and its journey with its part of the answer as much. */
const ORDER_KILOBYTES = 9

const digestOf = (asked: object) =>
  createHash('sha256').update(JSON.stringify(asked)).digest('base64url')

type UserEnds = { organizationId: string; userAddress: Address; filter: Filter | null }

/** The user's addresses that the organization registered. */
function selectUserEnds(
  { sql: prepared, adHocSql }: Pick<JourneyContext, 'sql' | 'adHocSql'>,
  { organizationId, userAddress, filter }: UserEnds,
): Promise<JourneyEnd[]> {
  const sql = filter === null ? prepared : adHocSql
  const columns = {
    chainId: sql`a.chain_id`,
    vaultAddress: sql`a.vault_address`,
    customerId: sql`a.customer_id`,
  }
  return sql<JourneyEnd[]>`
    select ${sql.unsafe(END_COLUMNS)}
    from app.smart_deposit_address a join app.smart_deposit_registration r using (chain_id, address)
    where a.user_destination_address = ${userAddress} and r.organization_id = ${organizationId}
      and ${filter === null ? sql`true` : filterToSql(sql, filter, columns)}`
}

type PageRow = {
  is_source: null
  facts: { heads: HeadsRow['facts']; ids: Hex[]; last: Cursor | null }
}
type Asked = { receivers: Address[]; pageSize: number; cursor: Cursor }
type OrderPage = { orders: TransitOrder[]; last: Cursor | null }

/** A page of the orders to these receivers. */
async function readPage(
  context: JourneyContext,
  asked: Asked,
  chainIds: number[],
): Promise<AtHeads<OrderPage>> {
  const { heads, ids, last, sides } = await context.readIndex(({ sql }) =>
    selectOrders(sql, asked, chainIds),
  )
  // Before a token of an order is read from its chain.
  await admitAnswer(context, heads, chainIds)
  const { orders } = splitHeads([{ is_source: null, facts: heads }, ...sides])
  const listed = await Promise.all(ids.map((id) => toOrder(context, orders.get(id), heads)))
  return { heads, chainIds, value: { orders: listed.flatMap((order) => order ?? []), last } }
}

async function selectOrders(
  sql: Sql,
  { receivers, pageSize, cursor: [createdAt, orderId] }: Asked,
  chainIds: number[],
) {
  // The inner limit of each address keeps an address of many orders from being read whole.
  const [first, ...rest] = await sql<(PageRow | SideRow)[]>`
    with listed as materialized (
      select distinct o.order_id, o.created_at from unnest(${receivers}::text[]) wanted (address)
      cross join lateral (
        select s.order_id, s.created_at from read.transit_side s
        where s.is_source and s.receiver = decode(substr(wanted.address, 3), 'hex') and ${isServed(sql)}
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
  const sides = rest.filter((row): row is SideRow => row.is_source !== null)
  return { ...first.facts, chainIds, sides }
}
