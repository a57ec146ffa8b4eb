import type { Hex } from 'viem'
import type { SharedServices } from '../../context.ts'
import { invalidFields } from '../../error/serviceError.ts'
import { type Filter, type FilterValue, pinnedValue } from '../../filter/filter.ts'
import { type ListParams, type ListQuery, listQuery } from '../../page/listQuery.ts'
import { TRANSIT_ORDER_FILTER_KEYS } from './orderFilter.ts'

export type OrderListParams = ListParams & {
  /** In any case. */
  userAddress?: string | undefined
}

/** The last order of a page: block time of the submission (Unix seconds) and order id. */
export type OrderCursor = [createdAt: string, id: Hex]

export type OrderListQuery = ListQuery<OrderCursor> & {
  userAddress: string | undefined
  /** The transaction to which the filter restricts the list, if it does. */
  transactionHash: FilterValue | null
}

/**
 * The parameters of a list of orders, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or
 * `INVALID_FIELD`, with everything that is wrong.
 */
export function orderListQuery(
  context: Pick<SharedServices, 'appSecret'>,
  params: OrderListParams,
): OrderListQuery {
  const userAddress = params.userAddress?.toLowerCase()
  const query = listQuery<OrderCursor>(context, {
    list: 'transitOrders',
    keys: TRANSIT_ORDER_FILTER_KEYS,
    params,
    bound: [userAddress ?? null],
    refuse: (filter) =>
      userAddress === undefined && transactionOf(filter) === null ? userRequired() : undefined,
  })
  return { ...query, userAddress, transactionHash: transactionOf(query.filter) }
}

function transactionOf(filter: Filter | null): FilterValue | null {
  return filter && pinnedValue(filter, 'txHash')
}

function userRequired() {
  return invalidFields([
    { field: 'userAddress', description: 'required unless the filter contains txHash = <hash>' },
  ])
}
