import { admitAnswer, type IndexProgress } from '../../index/indexProgress.ts'
import type { AtHeads } from '../../index/indexReads.ts'
import { pageKey } from '../../page/pageKey.ts'
import { encodePageToken } from '../../page/pageToken.ts'
import { transitChains } from '../transitChains.ts'
import type { TransitContext } from '../transitContext.ts'
import { isExamined } from './orderCandidates.ts'
import { totalCountOf } from './orderCount.ts'
import { type OrderListParams, type OrderListQuery, orderListQuery } from './orderListQuery.ts'
import { isTimelineSameAt } from './orderTimeline.ts'
import { type ListedOrders, MOST_EXAMINED, selectOrderPage } from './selectOrderPage.ts'
import { toOrder } from './toTransitOrder.ts'
import type { TransitOrder } from './transitOrder.ts'
import type { TransitOrderPage } from './transitOrderPage.ts'

/** An order of a page takes some 4.3 KB, with its part of the answer. */
const ORDER_KILOBYTES = 5

/**
 * Transit orders, newest first by (createdAt, id): a user's (sender or receiver), those of one transaction,
 * sender, receiver or distributor code, or those of some ids. Throws `INVALID_FIELD`, `INVALID_FILTER`,
 * `INVALID_PAGE_TOKEN`, `INDEX_CATCHING_UP`.
 */
export async function listTransitOrders(
  context: TransitContext,
  params: OrderListParams,
): Promise<TransitOrderPage> {
  const query = orderListQuery(context, params)
  const chainIds = transitChains(context.addressBook).map(({ chainId }) => chainId)
  const key = JSON.stringify(['transitOrders', pageKey(query), query.includeTotalCount])
  const { progress, value } = await context.indexReads.read(key, {
    select: () => readPage(context, query, chainIds),
    isSameAt: isSamePageAt,
    kilobytes: ({ orders, unknownOrderIds }) =>
      ORDER_KILOBYTES * orders.length + (unknownOrderIds?.length ?? 0) + 2,
  })
  await admitAnswer(context, progress, chainIds)
  return value
}

/** Whether this progress finalizes the same steps of a page. */
function isSamePageAt({ orders }: TransitOrderPage, progress: IndexProgress[]): boolean {
  return orders.every(({ timeline }) => isTimelineSameAt(timeline, progress))
}

async function readPage(
  context: TransitContext,
  query: OrderListQuery,
  chainIds: number[],
): Promise<AtHeads<TransitOrderPage>> {
  const page = await context.readIndex(async (pools) => ({
    ...(await selectOrderPage(pools, query)),
    chainIds,
  }))
  const { heads, listed, orders: sides } = page
  // Before a token of an order is read from its chain.
  await admitAnswer(context, heads, chainIds)
  const orders = await Promise.all(listed.ids.map((id) => toOrder(context, sides.get(id), heads)))
  const cursor = endOfPage(listed, query)
  const value = {
    orders: orders.filter((order): order is TransitOrder => order !== undefined),
    nextPageToken: cursor && encodePageToken({ binding: query.binding, cursor }, context.appSecret),
    totalCount: totalCountOf(query, listed),
    unknownOrderIds: listed.unknownIds,
  }
  return { heads, chainIds, value }
}

/** The place of the last order that this page answers for; null on the last page. */
function endOfPage(listed: ListedOrders, query: OrderListQuery) {
  if (listed.hasMore) return listed.last
  const isCutOff = isExamined(query) && listed.examined === MOST_EXAMINED
  return isCutOff ? listed.lastExamined : null
}
