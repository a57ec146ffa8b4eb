import { createHash } from 'node:crypto'
import type { Address } from 'viem'
import { requirePermission } from '../access/requirePermission.ts'
import type { Filter } from '../filter/filter.ts'
import { filterToSql } from '../filter/filterToSql.ts'
import { type ListParams, listQuery } from '../page/listQuery.ts'
import { sqlOfFilter } from '../page/pageInSql.ts'
import type { Page } from '../page/pageOfRows.ts'
import { refuseZero } from '../token/refuseZero.ts'
import { readOrderPage } from '../transit/orders/listTransitOrders.ts'
import type { OrderCursor } from '../transit/orders/orderListQuery.ts'
import type { TransitOrder } from '../transit/orders/transitOrder.ts'
import type { Journey, JourneyEnd } from './journey.ts'
import type { JourneyContext } from './journeyContext.ts'
import { END_COLUMNS } from './journeyReads.ts'
import { readJourneysTo } from './readJourneys.ts'

export type JourneyListParams = ListParams & { userAddress: Address }
export type JourneyPage = Page<'journeys', Journey> & {
  /** The orders from which the page was made: the same array for as long as no order of it changes. */
  orders: TransitOrder[]
}

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export const journeyQuery = listQuery<OrderCursor, JourneyListParams>({
  list: 'journeys',
  keys: {
    chainId: { type: 'integer' },
    vaultAddress: { type: 'address' },
    customerId: { type: 'string' },
  },
  isOwn: true,
  bound: ({ userAddress }) => [userAddress],
  violations: ({ userAddress }) => refuseZero('userAddress', userAddress),
})

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
  const ends = await selectUserEnds(context, {
    organizationId,
    filter: query.filter,
    userAddress: params.userAddress,
  })
  const receivers = [...new Set(ends.map((end) => end.smartDepositAddress))].sort()
  const key = `journeys ${digestOf([query.binding, query.cursor, query.pageSize, receivers])}`
  const { orders, nextPageToken } = await readOrderPage(
    context,
    {
      ...query,
      lead: { by: 'receivers', receivers },
      filter: null,
      party: null,
      window: null,
      includeTotalCount: false,
    },
    { key, orderKilobytes: ORDER_KILOBYTES },
  )
  const journeys = await readJourneysTo(context, { organizationId, ends }, orders)
  return { journeys, nextPageToken, orders }
}

/** An order of a page takes some 4.3 KB, and its journey with its part of the answer as much. */
const ORDER_KILOBYTES = 9

const digestOf = (asked: unknown[]) =>
  createHash('sha256').update(JSON.stringify(asked)).digest('base64url')

type UserEnds = { organizationId: string; userAddress: Address; filter: Filter | null }

/** The user's addresses that the organization registered. */
function selectUserEnds(
  context: Pick<JourneyContext, 'sql' | 'adHocSql'>,
  { organizationId, userAddress, filter }: UserEnds,
): Promise<JourneyEnd[]> {
  const sql = sqlOfFilter(context, { filter })
  const columns = {
    chainId: sql`a.chain_id`,
    vaultAddress: sql`a.vault_address`,
    customerId: sql`a.customer_id`,
  }
  return sql<JourneyEnd[]>`
    select ${sql.unsafe(END_COLUMNS)}
    from app.smart_deposit_address a join app.smart_deposit_registration r using (chain_id, address)
    where a.user_destination_address = ${userAddress} and r.organization_id = ${organizationId}
      and ${filterToSql(sql, filter, columns)}`
}
