import type { Hex } from 'viem'
import { admitAnswer, type IndexProgress } from '../../index/indexProgress.ts'
import type { AtHeads } from '../../index/indexReads.ts'
import { pageKey } from '../../page/pageKey.ts'
import { type Page, pageEndingAt } from '../../page/pageOfRows.ts'
import { transitChains } from '../transitChains.ts'
import type { TransitContext } from '../transitContext.ts'
import { totalCountOf } from './orderCount.ts'
import { type OrderListParams, type OrderListQuery, orderListQuery } from './orderListQuery.ts'
import { isTimelineSameAt } from './orderTimeline.ts'
import { selectOrderPage } from './selectOrderPage.ts'
import { toOrder } from './toTransitOrder.ts'
import type { TransitOrder } from './transitOrder.ts'

export type TransitOrderPage = Page<'orders', TransitOrder> & {
  /** The count of the whole list, with `+` where there may be more; null if it was not asked for. */
  totalCount: string | null
  /** The ids that no indexed order has; null if none were asked for. */
  unknownOrderIds: Hex[] | null
}

/** An order of a page takes some 4.3 KB, with its part of the answer. */
const ORDER_KILOBYTES = 5

/**
 * Transit orders, newest first by (createdAt, id): a user's (sender or receiver), those of one transaction,
 * sender, receiver or distributor code, or those of some ids. Throws `INVALID_FIELD`, `INVALID_FILTER`,
 * `INVALID_PAGE_TOKEN`, `INDEX_CATCHING_UP`.
 */
export function listTransitOrders(
  context: TransitContext,
  params: OrderListParams,
): Promise<TransitOrderPage> {
  const query = orderListQuery(context, params)
  const key = JSON.stringify(['transitOrders', pageKey(query), query.includeTotalCount])
  return readOrderPage(context, query, { key, orderKilobytes: ORDER_KILOBYTES })
}

/** The page of a query: the same object under this key for as long as no order of it changes. Throws `INDEX_CATCHING_UP`. */
export async function readOrderPage(
  context: TransitContext,
  query: OrderListQuery,
  { key, orderKilobytes }: { key: string; orderKilobytes: number },
): Promise<TransitOrderPage> {
  const chainIds = transitChains(context.addressBook).map(({ chainId }) => chainId)
  const { progress, value } = await context.indexReads.read(key, {
    select: () => readPage(context, query, chainIds),
    isSameAt: isSamePageAt,
    kilobytes: ({ orders, unknownOrderIds }) =>
      orderKilobytes * orders.length + (unknownOrderIds?.length ?? 0) + 2,
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
  const value = {
    ...pageEndingAt(context, query, {
      name: 'orders',
      rows: orders.flatMap((order) => order ?? []),
      end: listed.end,
    }),
    totalCount: totalCountOf(query, listed),
    unknownOrderIds: listed.unknownIds,
  }
  return { heads, chainIds, value }
}
