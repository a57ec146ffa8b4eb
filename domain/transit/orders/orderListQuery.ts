import type { Hex } from 'viem'
import type { SharedServices } from '../../context.ts'
import { attempt, refuseTogether } from '../../error/refuseTogether.ts'
import { type FieldViolation, invalidFields } from '../../error/serviceError.ts'
import { type Filter, pinnedValue } from '../../filter/filter.ts'
import { type ListParams, type ListQuery, listQuery } from '../../page/listQuery.ts'
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

/**
 * The parameters of a list of orders, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or
 * `INVALID_FIELD`, with everything that is wrong.
 */
export function orderListQuery(
  context: Pick<SharedServices, 'appSecret'>,
  params: OrderListParams,
): OrderListQuery {
  const { startTime, endTime, includeTotalCount = false } = params
  const userAddress = params.userAddress?.toLowerCase()
  const orderIds = params.orderIds && [...new Set(params.orderIds)]
  const query = attempt(() =>
    listQuery<OrderCursor>(context, {
      list: 'transitOrders',
      keys: TRANSIT_ORDER_FILTER_KEYS,
      params,
      bound: [userAddress ?? null, { orderIds, startTime, endTime }],
      refuse: (filter) =>
        leadOf({ userAddress, orderIds, filter }) === null ? userRequired() : undefined,
    }),
  )
  const wrong = [...idViolations(params), ...rangeViolations(params)]
  refuseTogether([wrong.length > 0 ? invalidFields(wrong) : undefined, query.refusal])
  const found = query.value && leadOf({ userAddress, orderIds, filter: query.value.filter })
  if (!query.value || !found)
    throw new Error('Invariant(orderListQuery): a query without errors has a lead')
  const isWindowed = startTime !== undefined && endTime !== undefined
  return {
    ...query.value,
    ...found,
    party: found.lead.by === 'party' ? null : (userAddress ?? null),
    window: isWindowed ? { after: startTime, until: endTime } : null,
    includeTotalCount,
  }
}

type Asked = {
  userAddress: string | undefined
  orderIds: Hex[] | undefined
  filter: Filter | null
}

/** The lead that finds the fewest orders, and what is left of the filter; null if nothing can lead. */
function leadOf({
  userAddress,
  orderIds,
  filter,
}: Asked): Pick<OrderListQuery, 'lead' | 'filter'> | null {
  const pinned = (key: string) => (filter === null ? null : pinnedValue(filter, key))
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
