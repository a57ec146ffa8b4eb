import type { Address, Hex } from 'viem'
import { type FieldViolation, invalidFields } from '../../error/serviceError.ts'
import { type Filter, pinnedValue } from '../../filter/filter.ts'
import {
  type ListParams,
  type ListQuery,
  listQuery,
  type QueryContext,
} from '../../page/listQuery.ts'
import { rangeViolations, type TimeRange } from '../../page/timeRange.ts'
import { TRANSIT_ORDER_FILTER_KEYS } from './orderFilter.ts'

const MOST_ORDER_IDS = 100

export type OrderListParams = ListParams &
  TimeRange & {
    /** In any case. */
    userAddress?: string | undefined
    /** 1 to 100 */
    orderIds?: Hex[] | undefined
    includeTotalCount?: boolean | undefined
  }

/** The last order of a page: block time of the submission (Unix seconds) and order id. */
export type OrderCursor = [createdAt: string, id: Hex]

/** A fact that all orders of a list share, by which an index finds them. */
type OrderLead =
  | { by: 'ids'; ids: Hex[] }
  | { by: 'transaction'; hash: string }
  | { by: 'message'; hash: string }
  | { by: 'receivers'; receivers: Address[] }
  | { by: 'party' | 'user' | 'receiver' | 'distributor' | 'transactionSender'; value: string }

export type OrderListQuery = ListQuery<OrderCursor> & {
  lead: OrderLead
  /** The user whom orders must have as `user` or `receiver`, where they do not lead the list. */
  party: string | null
  /** The filter, without what the lead already grants. */
  filter: Filter | null
  /** Orders are later than `after` and not later than `until`, in Unix seconds. */
  window: { after: number; until: number } | null
  includeTotalCount: boolean
}

/** The filter keys that can lead a list. */
const LEADING_KEYS = {
  user: 'user',
  receiver: 'receiver',
  distributorCode: 'distributor',
  transactionSender: 'transactionSender',
} as const

const argumentsOf = listQuery<OrderCursor, OrderListParams>({
  list: 'transitOrders',
  keys: TRANSIT_ORDER_FILTER_KEYS,
  bound: (params) => {
    const { userAddress = null, orderIds } = normalized(params)
    return [userAddress, { orderIds, startTime: params.startTime, endTime: params.endTime }]
  },
  violations: (params) => [...idViolations(params), ...rangeViolations(params)],
  refuse: (filter, params) => (leadOf(normalized(params), filter) ? undefined : userRequired()),
})

/**
 * The parameters of a list of orders, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or
 * `INVALID_FIELD`, with everything that is wrong.
 */
export function orderListQuery(context: QueryContext, params: OrderListParams): OrderListQuery {
  const { startTime, endTime, includeTotalCount = false } = params
  const query = argumentsOf(context, params)
  const asked = normalized(params)
  const found = leadOf(asked, query.filter)
  if (!found) throw new Error('Invariant(orderListQuery): a query without errors has a lead')
  const isWindowed = startTime !== undefined && endTime !== undefined
  return {
    ...query,
    ...found,
    party: found.lead.by === 'party' ? null : (asked.userAddress ?? null),
    window: isWindowed ? { after: startTime, until: endTime } : null,
    includeTotalCount,
  }
}

type Asked = Pick<OrderListParams, 'userAddress' | 'orderIds'>

function normalized({ userAddress, orderIds }: Asked): Asked {
  return {
    userAddress: userAddress?.toLowerCase(),
    orderIds: orderIds && [...new Set(orderIds)],
  }
}

/** The lead that finds the fewest orders, and what is left of the filter; null if nothing can lead. */
function leadOf(
  { userAddress, orderIds }: Asked,
  filter: Filter | null,
): Pick<OrderListQuery, 'lead' | 'filter'> | null {
  const pinned = (key: string) => pinnedValue(filter, key)
  const rest = (key: string) =>
    filter?.type === 'comparison' && filter.key === key ? null : filter
  if (orderIds) return { lead: { by: 'ids', ids: orderIds }, filter }
  const hash = pinned('txHash')
  if (hash !== null)
    return { lead: { by: 'transaction', hash: String(hash) }, filter: rest('txHash') }
  const guid = pinned('messageGuid')
  if (guid !== null)
    return { lead: { by: 'message', hash: String(guid) }, filter: rest('messageGuid') }
  if (userAddress !== undefined) return { lead: { by: 'party', value: userAddress }, filter }
  for (const [key, by] of Object.entries(LEADING_KEYS)) {
    const value = pinned(key)
    if (value !== null) return { lead: { by, value: String(value) }, filter: rest(key) }
  }
  return null
}

function idViolations({ orderIds }: OrderListParams): FieldViolation[] {
  if (orderIds === undefined) return []
  if (orderIds.length >= 1 && orderIds.length <= MOST_ORDER_IDS) return []
  return [{ field: 'orderIds', description: `expected 1 to ${MOST_ORDER_IDS} order ids` }]
}

function userRequired() {
  const keys = ['txHash', 'messageGuid', ...Object.keys(LEADING_KEYS)].join(', ')
  const description = `required without orderIds, unless the filter contains key = value for one of ${keys}`
  return invalidFields([{ field: 'userAddress', description }])
}
